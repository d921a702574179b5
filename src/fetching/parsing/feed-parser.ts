import { Injectable, type OnApplicationShutdown, Optional } from '@nestjs/common';
import type { ThreadLimits } from '../../platform/threads/thread.js';
import { ThreadDied, ThreadTimeout } from '../../platform/threads/thread-error.js';
import { ThreadPool } from '../../platform/threads/thread-pool.js';
import { type FeedDocument, FetchFailure, type ParsedFeed } from '../fetcher.js';
import { feedOf, textOf } from './feed-of.js';
import type { ParseResult } from './feed-parser.thread.js';
import { readPlainChannel } from './plain/read-plain-channel.js';

const THREADS = 2;
const LIMITS: ThreadLimits = {
  timeoutMs: 5_000,
  /** Enough for a feed of 10 MB with 10,000 posts. Only documents designed to exhaust memory need more. */
  memoryMb: 80,
};

/**
 * Maximum size in bytes of a document that is read on the main thread if it is plain, which takes less than the way to
 * a thread and back. At this size the most hostile ones take some tens of milliseconds.
 */
const MAX_PLAIN_SIZE = 256_000;

/** Threads keep a document that takes too much time or memory from blocking the process. */
@Injectable()
export class FeedParser implements OnApplicationShutdown {
  private readonly threads: ThreadPool<FeedDocument, ParseResult>;

  constructor(@Optional() private readonly limits: ThreadLimits = LIMITS) {
    const module = new URL('./feed-parser.thread.js', import.meta.url);
    this.threads = new ThreadPool({ module, size: THREADS, ...limits });
  }

  async parse(document: FeedDocument): Promise<ParsedFeed> {
    const plain = document.body.length > MAX_PLAIN_SIZE ? undefined : parsePlainFeed(document);
    if (plain) return plain;
    const result = await this.read(document);
    if ('refusal' in result) throw new FetchFailure('INVALID_CONTENT', result.refusal);
    return result.feed;
  }

  async onApplicationShutdown() {
    await this.threads.close();
  }

  private async read(document: FeedDocument): Promise<ParseResult> {
    // The body is copied before the transfer, because it may be part of a larger buffer that the caller still needs.
    const body = new Uint8Array(document.body);
    try {
      return await this.threads.run({ ...document, body }, [body.buffer]);
    } catch (error) {
      throw this.failureOf(error);
    }
  }

  /** Timeouts and memory limits are the document's fault. All other errors are internal. */
  private failureOf(cause: unknown): unknown {
    if (cause instanceof ThreadTimeout) {
      const limit = `${this.limits.timeoutMs / 1_000} seconds`;
      return new FetchFailure('INVALID_CONTENT', `reading the feed took longer than ${limit}`, { cause });
    }
    if (cause instanceof ThreadDied && isOutOfMemory(cause.cause)) {
      return new FetchFailure('INVALID_CONTENT', 'reading the feed took too much memory', { cause });
    }
    return cause;
  }
}

function parsePlainFeed(document: FeedDocument): ParsedFeed | undefined {
  const channel = readPlainChannel(textOf(document));
  return channel && feedOf(channel, document);
}

function isOutOfMemory(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
