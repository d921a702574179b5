import { Injectable, type OnApplicationShutdown, Optional } from '@nestjs/common';
import type { ThreadLimits } from '../../platform/threads/thread.js';
import { ThreadDied, ThreadTimeout } from '../../platform/threads/thread-error.js';
import { ThreadPool } from '../../platform/threads/thread-pool.js';
import { type FeedDocument, FetchFailure, type ParsedFeed } from '../fetcher.js';
import type { Reading } from './feed-parser.thread.js';

const THREADS = 2;
const LIMITS: ThreadLimits = {
  timeoutMs: 5_000,
  /** A feed of 10 MB with 10,000 posts fits. More is only taken by documents that are made to take it. */
  memoryMb: 80,
};

/** Reads feeds in threads, where a document that takes too long or too much does no harm. */
@Injectable()
export class FeedParser implements OnApplicationShutdown {
  private readonly threads: ThreadPool<FeedDocument, Reading>;

  constructor(@Optional() private readonly limits: ThreadLimits = LIMITS) {
    const module = new URL('./feed-parser.thread.js', import.meta.url);
    this.threads = new ThreadPool({ module, size: THREADS, ...limits });
  }

  async parse(document: FeedDocument): Promise<ParsedFeed> {
    const reading = await this.read(document);
    if ('refusal' in reading) throw new FetchFailure('INVALID_CONTENT', reading.refusal);
    return reading.feed;
  }

  async onApplicationShutdown() {
    await this.threads.close();
  }

  private async read(document: FeedDocument): Promise<Reading> {
    // A copy can be moved; the body itself may be a part of a greater buffer, and the caller may still want it.
    const body = new Uint8Array(document.body);
    try {
      return await this.threads.run({ ...document, body }, [body.buffer]);
    } catch (error) {
      throw this.failureOf(error);
    }
  }

  /** The document is to blame for time and memory; for anything else we are. */
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

function isOutOfMemory(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
