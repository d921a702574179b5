import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../platform/config.js';
import { HttpClient } from '../platform/http/http-client.js';
import { Clock } from '../platform/time/clock.js';
import { PageReader } from './crawler/page-reader.js';
import { WorkerSearches } from './jobs/worker-searches.js';
import type { ScraperTools } from './scraper.js';

/** Creates the tools that scrapers use. */
@Injectable()
export class SearchTools {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly http: HttpClient,
    private readonly pages: PageReader,
    private readonly workers: WorkerSearches,
    private readonly clock: Clock,
  ) {}

  for(signal: AbortSignal): ScraperTools {
    const { config, http, clock } = this;
    return {
      config,
      http,
      signal,
      get now() {
        return clock.now();
      },
      readPage: (page) => this.pages.read(page),
      askWorker: (type, question) => this.workers.ask(type, question, signal),
    };
  }
}
