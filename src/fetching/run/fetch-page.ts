import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../platform/config.js';
import { CONFIG } from '../../platform/config.js';
import type { BackgroundWork } from '../../platform/http/address-guard.js';
import { HttpClient } from '../../platform/http/http-client.js';
import { Clock } from '../../platform/time/clock.js';
import type { Validators } from '../../sources/fetch-states.table.js';
import type { SourceIdentity } from '../../sources/sources.table.js';
import { type FetchCommand, type FetcherTools, FetchFailure, type FetchResult, type FieldPaths } from '../fetcher.js';
import { FeedParser } from '../parsing/feed-parser.js';
import { WorkerCalls } from '../remote/worker-calls.js';
import { SourceCatalogue } from '../source-catalogue.js';
import { failureOf, isHostsFault } from './fetch-failure.js';
import type { FetchTrace } from './fetch-trace.js';
import { type HostOutage, HostOutages } from './host-outages.js';

const POSTS_A_PAGE = 50;
/** A busy host is asked again later, instead of holding up the sources of all others. */
const LINE_MS = 2_000;

interface PageRequest {
  signal: AbortSignal;
  cursor?: string | undefined;
  validators?: Validators | undefined;
  since?: Date | undefined;
  /** Whose it is, where that is known. */
  ids?: FetchCommand['ids'];
  /** For whom alone it is fetched; undefined if for all followers of a source. */
  owner?: string | undefined;
  archive?: boolean | undefined;
  fields?: FieldPaths | undefined;
  digests?: FetchCommand['digests'];
  /** Takes down what is asked and answered. */
  trace?: FetchTrace | undefined;
}

/** Fetches one page of any source, whatever its type. Changes nothing. */
@Injectable()
export class FetchPage {
  private readonly common: Omit<FetcherTools, 'http'>;
  private readonly outages = new HostOutages();

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly http: HttpClient,
    parser: FeedParser,
    workers: WorkerCalls,
    private readonly catalogue: SourceCatalogue,
    private readonly clock: Clock,
  ) {
    this.common = {
      config,
      parseFeed: (document) => parser.parse(document),
      askWorker: (type, command) => workers.fetch(type, command),
    };
  }

  /** For one piece of work that belongs together. */
  get tools(): FetcherTools {
    return this.toolsFor({ isFetch: false });
  }

  async fetch({ type, externalId }: SourceIdentity, request: PageRequest): Promise<FetchResult> {
    const fetcher = this.catalogue.find(type);
    if (!fetcher) throw new Error(`no fetcher for sources of type ${type}`);
    const { trace, owner, ...asked } = request;
    const { cursor, validators = {} } = request;
    if (trace) trace.host ??= this.catalogue.hostOf({ type, externalId });
    const command = { ...asked, externalId, limit: POSTS_A_PAGE, validators: cursor ? {} : validators };
    const isFetch = request.ids !== undefined;
    const tools = this.toolsFor({ isFetch, trace, background: { owner } });
    const fetchPage = () => fetcher.fetch({ ...command, now: this.clock.now() }, tools);
    const host = isFetch ? this.catalogue.addressOf({ type, externalId })?.host : undefined;
    return host === undefined ? fetchPage() : this.unlessDown(host, fetchPage);
  }

  private async unlessDown(host: string, fetchPage: () => Promise<FetchResult>): Promise<FetchResult> {
    const askedAt = this.clock.now();
    const outage = this.outages.find(host, askedAt);
    if (outage) throw notAsked(host, outage);
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
    return { ...this.common, http: impatient(this.http, request) };
  }
}

function notAsked(host: string, { since, until, reason }: HostOutage): FetchFailure {
  const times = `since ${since.toISOString()}, and is asked again at ${until.toISOString()}`;
  return new FetchFailure('NETWORK_ERROR', `${host} has been failing ${times}: ${reason}`, { wasAsked: false });
}

interface TracedRequest {
  isFetch: boolean;
  trace?: FetchTrace | undefined;
  background?: BackgroundWork | undefined;
}

/** What comes after a page's first request has cost one already, and waits for its turn as long as need be. */
function impatient(http: HttpClient, { isFetch, trace, background }: TracedRequest): FetcherTools['http'] {
  let goesOn = false;
  const request: HttpClient['request'] = async (url, options) => {
    const timeouts = { line: LINE_MS, ...options?.timeouts };
    const response = await http.request(url, { ...options, timeouts, isFetch, goesOn, background });
    goesOn = true;
    trace?.answered(response);
    return response;
  };
  return { get: request, request };
}
