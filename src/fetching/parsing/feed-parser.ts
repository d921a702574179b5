import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ThreadDied, ThreadTimeout } from '../../platform/threads/thread-error.js';
import { ThreadPool } from '../../platform/threads/thread-pool.js';
import { type FeedDocument, FetchFailure, type ParsedFeed } from '../fetcher.js';
import type { Reading } from './feed-parser.thread.js';

const THREADS = 2;
const TIMEOUT_MS = 5_000;
/** Several times what the worst document within the HTTP client's limit was seen to take. */
const MEMORY_MB = 768;

/** Reads feeds in threads, where a document that takes too long or too much does no harm. */
@Injectable()
export class FeedParser implements OnApplicationShutdown {
  private readonly threads = new ThreadPool<FeedDocument, Reading>({
    module: new URL('./feed-parser.thread.js', import.meta.url),
    size: THREADS,
    timeoutMs: TIMEOUT_MS,
    memoryMb: MEMORY_MB,
  });

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
      throw toFailure(error);
    }
  }
}

/** The document is to blame for time and memory; for anything else we are. */
function toFailure(error: unknown): unknown {
  if (error instanceof ThreadTimeout) {
    const limit = `${TIMEOUT_MS / 1_000} seconds`;
    return new FetchFailure('INVALID_CONTENT', `reading the feed took longer than ${limit}`, { cause: error });
  }
  if (error instanceof ThreadDied && isOutOfMemory(error.cause)) {
    return new FetchFailure('INVALID_CONTENT', 'reading the feed took too much memory', { cause: error });
  }
  return error;
}

function isOutOfMemory(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
