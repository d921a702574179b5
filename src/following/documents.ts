import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ThreadPool } from '../platform/threads/thread-pool.js';
import type { DocumentTask } from './documents.thread.js';
import type { FeedLinks } from './feed-links.js';
import { MAX_OUTLINES, type OpmlFeed } from './read-opml.js';

const module = new URL('./documents.thread.js', import.meta.url);

/** Parses web pages and OPML in threads, because a megabyte can take seconds. */
@Injectable()
export class Documents implements OnApplicationShutdown {
  private readonly pool = new ThreadPool<DocumentTask, unknown>({ module, size: 2, timeoutMs: 10_000, memoryMb: 512 });
  /** Lists beyond the usual length are read one at a time. */
  private readonly longLists = new ThreadPool<DocumentTask, unknown>({
    module,
    size: 1,
    timeoutMs: 60_000,
    memoryMb: 768,
  });

  feedLinks(html: string, url: string): Promise<FeedLinks> {
    return this.pool.run({ html, url }) as Promise<FeedLinks>;
  }

  /** Returns the feeds in batches. It fails with an `OpmlError`, which crosses the thread by its name only. */
  async readOpml(opml: string, maxOutlines = MAX_OUTLINES): Promise<Iterable<OpmlFeed[]>> {
    const pool = maxOutlines > MAX_OUTLINES ? this.longLists : this.pool;
    return parsed((await pool.run({ opml, maxOutlines })) as string[]);
  }

  async onApplicationShutdown() {
    await Promise.all([this.pool.close(), this.longLists.close()]);
  }
}

function* parsed(batches: string[]): Generator<OpmlFeed[]> {
  for (const batch of batches) yield JSON.parse(batch) as OpmlFeed[];
}
