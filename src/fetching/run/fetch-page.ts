import { Inject, Injectable } from '@nestjs/common';
import { WorkerRpc } from '../../platform/broker/worker-rpc.js';
import { CONFIG, type Config } from '../../platform/config.js';
import { HttpClient } from '../../platform/http/http-client.js';
import type { BackgroundWork } from '../../platform/http/request-limits.js';
import { Clock } from '../../platform/time/clock.js';
import type { Validators } from '../../sources/fetch-states.table.js';
import type { SourceIdentity } from '../../sources/sources.table.js';
import { type FetchCommand, type FetcherTools, FetchFailure, type FetchResult, type FieldPaths } from '../fetcher.js';
import { FeedParser } from '../parsing/feed-parser.js';
import { askWorker } from '../remote/ask-worker.js';
import { SourceCatalogue } from '../source-catalogue.js';
import { failureOf, isHostsFault } from './fetch-failure.js';
import type { FetchTrace } from './fetch-trace.js';
import { type HostOutage, HostOutages } from './host-outages.js';

const POSTS_A_PAGE = 50;
/**
 * Maximum wait for a slot of the host. A fetch that would wait longer is retried later, so that it does not block
 * others.
 */
const LINE_MS = 2_000;

interface PageRequest {
  signal: AbortSignal;
  cursor?: string | undefined;
  validators?: Validators | undefined;
  since?: Date | undefined;
  /** Set only for fetches of stored sources. */
  ids?: FetchCommand['ids'];
  /** Id of the user the page is fetched for; undefined if it is fetched for all followers. */
  owner?: string | undefined;
  /** Requests a second that the host may be sent; undefined for no cap of ours. */
  maxPerSecond?: number | undefined;
  archive?: boolean | undefined;
  fields?: FieldPaths | undefined;
  digests?: FetchCommand['digests'];
  /** Records host, status and size of the responses. */
  trace?: FetchTrace | undefined;
}

/** Fetches one page of a source of any type, without storing anything. */
@Injectable()
export class FetchPage {
  private readonly common: Omit<FetcherTools, 'http'>;
  private readonly outages = new HostOutages();

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly http: HttpClient,
    parser: FeedParser,
    workers: WorkerRpc,
    private readonly catalogue: SourceCatalogue,
    private readonly clock: Clock,
  ) {
    this.common = {
      config,
      parseFeed: (document) => parser.parse(document),
      askWorker: (type, command) => askWorker(workers, { type, command, timeoutMs: config.remoteTimeoutMs }),
    };
  }

  /** Tools for requests that are not scheduled fetches, such as looking up an account. */
  get tools(): FetcherTools {
    return this.toolsFor({});
  }

  async fetch({ type, externalId }: SourceIdentity, request: PageRequest): Promise<FetchResult> {
    const fetcher = this.catalogue.find(type);
    if (!fetcher) throw new Error(`no fetcher for sources of type ${type}`);
    const { trace, owner, maxPerSecond, ...options } = request;
    const { cursor, validators = {} } = request;
    if (trace) trace.host ??= this.catalogue.hostOf({ type, externalId });
    const command = { ...options, externalId, limit: POSTS_A_PAGE, validators: cursor ? {} : validators };
    const isPlanned = request.ids !== undefined;
    const tools = this.toolsFor({ trace, background: { owner, isPlanned, maxPerSecond } });
    const fetchPage = () => fetcher.fetch({ ...command, now: this.clock.now() }, tools);
    const host = isPlanned ? this.catalogue.addressOf({ type, externalId })?.host : undefined;
    return host === undefined ? fetchPage() : this.fetchUnlessHostDown(host, fetchPage);
  }

  private async fetchUnlessHostDown(host: string, fetchPage: () => Promise<FetchResult>): Promise<FetchResult> {
    const askedAt = this.clock.now();
    const outage = this.outages.find(host, askedAt);
    if (outage) throw hostDownFailure(host, outage);
    try {
      const result = await fetchPage();
      this.outages.answered(host);
      return result;
    } catch (error) {
      const failure = isHostsFault(error) ? undefined : failureOf(error);
      if (failure?.retryable) this.outages.failed(host, failure.message, { askedAt, now: this.clock.now() });
      else if (failure) this.outages.answered(host);
      throw error;
    }
  }

  private toolsFor(request: TracedRequest): FetcherTools {
    return { ...this.common, http: limitSlotWait(this.http, request) };
  }
}

function hostDownFailure(host: string, { since, until, reason }: HostOutage): FetchFailure {
  const times = `since ${since.toISOString()}, and is asked again at ${until.toISOString()}`;
  return new FetchFailure('NETWORK_ERROR', `${host} has been failing ${times}: ${reason}`, { wasAsked: false });
}

interface TracedRequest {
  trace?: FetchTrace | undefined;
  background?: BackgroundWork | undefined;
}

/**
 * Limits the wait for a host slot. Later requests of the same page continue work that has already cost a request,
 * which `isContinuation` tells the client.
 */
function limitSlotWait(http: HttpClient, { trace, background }: TracedRequest): FetcherTools['http'] {
  let isContinuation = false;
  const request: HttpClient['request'] = async (url, options) => {
    const timeouts = { line: LINE_MS, ...options?.timeouts };
    const response = await http.request(url, { ...options, timeouts, isContinuation, background });
    isContinuation = true;
    trace?.answered(response);
    return response;
  };
  return { get: request, request };
}
