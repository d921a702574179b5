import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../platform/config.js';
import { CONFIG } from '../platform/config.token.js';
import type { RowJob } from '../platform/queue/job-catalogue.js';
import { type FetchJob, fetchJobs } from './fetch-jobs.js';
import type { Fetcher } from './fetcher.js';
import { fetchersFor } from './fetchers.js';

/** The kinds of sources that this Millrace is set to fetch, and the job that fetches each. */
@Injectable()
export class FetchTypes {
  /** An address is offered to them in this order. */
  readonly fetchers: readonly Fetcher[];
  readonly jobs: ReadonlyMap<string, RowJob<FetchJob>>;

  constructor(@Inject(CONFIG) config: Config) {
    this.fetchers = fetchersFor(config);
    this.jobs = fetchJobs(config);
  }

  find(type: string): Fetcher | undefined {
    return this.fetchers.find((fetcher) => fetcher.type === type);
  }
}
