import { Inject, Injectable } from '@nestjs/common';
import { WorkerRpc } from '../platform/broker/worker-rpc.js';
import { canParseUrl } from '../platform/can-parse-url.js';
import { CONFIG, type Config } from '../platform/config.js';
import { ApiError } from '../platform/errors/api-error.js';
import type { ErrorCode } from '../platform/errors/error-codes.js';
import { limitedHostOf } from '../platform/hosts/host-of.js';
import { HttpClient } from '../platform/http/http-client.js';
import { OutgoingRequestError } from '../platform/http/outgoing-request-error.js';
import type { RowJob } from '../platform/jobs/job-catalogue.js';
import type { SourceIdentity } from '../sources/sources.table.js';
import type { Fetcher, FetcherTools } from './fetcher.js';
import { fetchersFor } from './fetchers.js';
import { type FetchJob, fetchJobs } from './run/fetch-jobs.js';

@Injectable()
export class SourceCatalogue {
  readonly fetchers: readonly Fetcher[];
  readonly jobs: ReadonlyMap<string, RowJob<FetchJob>>;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(HttpClient) private readonly http: Pick<HttpClient, 'checkAddress'>,
    @Inject(WorkerRpc) private readonly workers: Pick<WorkerRpc, 'isConfigured'>,
  ) {
    this.fetchers = fetchersFor(config);
    this.jobs = fetchJobs(config);
  }

  find(type: string): Fetcher | undefined {
    return this.fetchers.find((fetcher) => fetcher.type === type);
  }

  /** Throws an ApiError that names the invalid field. */
  identify({ type, externalId }: SourceIdentity): SourceIdentity {
    const fetcher = this.find(type);
    if (!fetcher) throw invalid('type', `one of ${this.fetchers.map((known) => known.type).join(', ')}`);
    this.checkAvailable(fetcher);
    const checked = fetcher.externalId.safeParse(externalId);
    if (!checked.success) throw invalid('externalId', ...checked.error.issues.map(({ message }) => message));
    if (/^https?:/.test(checked.data)) this.checkAddress(checked.data);
    return { type, externalId: checked.data };
  }

  /** Some types send requests to find out. */
  async recognise(url: URL, tools: FetcherTools, signal: AbortSignal): Promise<SourceIdentity | undefined> {
    for (const fetcher of this.fetchers) {
      const found = fetcher.recognise?.(url) ?? (await fetcher.lookUp?.(url, tools, signal));
      const checked = fetcher.externalId.safeParse(found);
      if (!checked.success) continue;
      this.checkAvailable(fetcher);
      return { type: fetcher.type, externalId: checked.data };
    }
    return undefined;
  }

  hostOf(source: SourceIdentity): string | undefined {
    const address = this.addressOf(source);
    return address && limitedHostOf(address, this.config.hostLimits);
  }

  /** Undefined for a type that remote workers fetch. */
  addressOf({ type, externalId }: SourceIdentity): URL | undefined {
    const fetcher = this.find(type);
    if (!fetcher || fetcher.remote) return undefined;
    const address = fetcher.address?.(externalId, this.config) ?? externalId;
    return canParseUrl(address) ? new URL(address) : undefined;
  }

  private checkAvailable({ name, type, remote }: Fetcher): void {
    if (!remote || this.workers.isConfigured) return;
    const why = `sources of type ${type} are fetched by a worker over RabbitMQ, and RABBITMQ_URL is not set`;
    throw new ApiError('worker_needed', `${name}: ${why}.`);
  }

  private checkAddress(url: string): void {
    try {
      this.http.checkAddress(url);
    } catch (error) {
      if (!(error instanceof OutgoingRequestError)) throw error;
      const message = `${error.message}.`;
      throw new ApiError(apiCodeOf(error), message, { errors: [{ path: 'externalId', message }] });
    }
  }
}

export function apiCodeOf({ code }: OutgoingRequestError): ErrorCode {
  if (code === 'ADDRESS_REFUSED') return 'address_refused';
  return code === 'INVALID_URL' ? 'validation_failed' : 'site_unreachable';
}

function invalid(path: 'type' | 'externalId', ...messages: string[]): ApiError {
  const errors = messages.map((message) => ({ path, message }));
  return new ApiError('validation_failed', `${path}: ${messages[0]}`, { errors });
}
