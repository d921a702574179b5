import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ThreadPool } from '../platform/threads/thread-pool.js';
import type { DocumentTask } from './documents.thread.js';
import type { FeedLinks } from './feed-links.js';
import type { OpmlFeed } from './read-opml.js';

/** Reads what strangers wrote, off the main thread: a megabyte of it can take seconds. */
@Injectable()
export class Documents implements OnApplicationShutdown {
  private readonly pool = new ThreadPool<DocumentTask, unknown>({
    module: new URL('./documents.thread.js', import.meta.url),
    size: 2,
    timeoutMs: 10_000,
    memoryMb: 512,
  });

  feedLinks(html: string, url: string): Promise<FeedLinks> {
    return this.pool.run({ html, url }) as Promise<FeedLinks>;
  }

  /** Fails with an error of the name `OpmlTrouble` that says what is wrong. */
  readOpml(opml: string): Promise<OpmlFeed[]> {
    return this.pool.run({ opml }) as Promise<OpmlFeed[]>;
  }

  async onApplicationShutdown() {
    await this.pool.close();
  }
}
