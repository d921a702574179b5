import { Inject, Injectable } from '@nestjs/common';
import { canParseUrl } from '../platform/can-parse-url.js';
import type { Config } from '../platform/config.js';
import { CONFIG } from '../platform/config.js';
import { limitedHostOf } from '../platform/hosts/host-of.js';
import type { RowJob } from '../platform/queue/job-catalogue.js';
import type { SourceIdentity } from '../sources/source-types.js';
import type { Fetcher } from './fetcher.js';
import { fetchersFor } from './fetchers.js';
import { type FetchJob, fetchJobs } from './run/fetch-jobs.js';

/** The kinds of sources that this Millrace is set to fetch, and the job that fetches each. */
@Injectable()
export class FetchTypes {
  /** An address is offered to them in this order. */
  readonly fetchers: readonly Fetcher[];
  readonly jobs: ReadonlyMap<string, RowJob<FetchJob>>;

  constructor(@Inject(CONFIG) private readonly config: Config) {
    this.fetchers = fetchersFor(config);
    this.jobs = fetchJobs(config);
  }

  find(type: string): Fetcher | undefined {
    return this.fetchers.find((fetcher) => fetcher.type === type);
  }

  /** Whose requests the fetches of a source are. Undefined: a worker's, who knows. */
  hostOf(source: SourceIdentity): string | undefined {
    const address = this.addressOf(source);
    return address && limitedHostOf(address, this.config.hostLimits);
  }

  /** Where the requests of a source go. Undefined for a type that remote workers fetch. */
  addressOf({ type, externalId }: SourceIdentity): URL | undefined {
    const fetcher = this.find(type);
    if (!fetcher || fetcher.remote) return undefined;
    const address = fetcher.address?.(externalId, this.config) ?? externalId;
    return canParseUrl(address) ? new URL(address) : undefined;
  }
}
