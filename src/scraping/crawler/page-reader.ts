import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ThreadPool } from '../../platform/threads/thread-pool.js';
import type { PageContent } from '../scraper.js';

interface Page {
  html: string;
  url: string;
}

/** Fails with ThreadTimeout or ThreadDied if a page takes too much time or memory. */
@Injectable()
export class PageReader implements OnApplicationShutdown {
  private readonly pool = new ThreadPool<Page, PageContent>({
    module: new URL('./page-reader.thread.js', import.meta.url),
    size: 2,
    timeoutMs: 5_000,
    memoryMb: 512,
  });

  read(page: Page): Promise<PageContent> {
    return this.pool.run(page);
  }

  async onApplicationShutdown() {
    await this.pool.close();
  }
}
