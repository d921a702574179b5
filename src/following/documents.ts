import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ThreadPool } from '../platform/threads/thread-pool.js';
import type { DocumentTask } from './documents.thread.js';
import type { FeedLinks } from './feed-links.js';
import { MAX_OUTLINES, type OpmlFeed } from './read-opml.js';

const module = new URL('./documents.thread.js', import.meta.url);

/** Reads what strangers wrote, off the main thread: a megabyte of it can take seconds. */
@Injectable()
export class Documents implements OnApplicationShutdown {
  private readonly pool = new ThreadPool<DocumentTask, unknown>({ module, size: 2, timeoutMs: 10_000, memoryMb: 512 });
  /** For lists of more than the usual length, one after another. */
  private readonly longLists = new ThreadPool<DocumentTask, unknown>({
    module,
    size: 1,
    timeoutMs: 60_000,
    memoryMb: 768,
  });

  feedLinks(html: string, url: string): Promise<FeedLinks> {
    return this.pool.run({ html, url }) as Promise<FeedLinks>;
  }

  /** In the order of the document, some at a time. Fails with an error of the name `OpmlTrouble` that says what is wrong. */
  async readOpml(opml: string, mostOutlines = MAX_OUTLINES): Promise<Iterable<OpmlFeed[]>> {
    const pool = mostOutlines > MAX_OUTLINES ? this.longLists : this.pool;
    return unpacked((await pool.run({ opml, mostOutlines })) as string[]);
  }

  async onApplicationShutdown() {
    await Promise.all([this.pool.close(), this.longLists.close()]);
  }
}

function* unpacked(slices: string[]): Generator<OpmlFeed[]> {
  for (const slice of slices) yield JSON.parse(slice) as OpmlFeed[];
}
