import { Injectable } from '@nestjs/common';
import { Database, type Db } from '../../platform/database/database.js';
import { Clock } from '../../platform/time/clock.js';
import type { FoundPost } from '../../posts/post.js';
import type { Validators } from '../../sources/fetch-states.table.js';
import type { SourceIdentity } from '../../sources/sources.table.js';
import { type FeedDocument, type FetchCommand, FetchFailure, type FetchResult, type FieldPaths } from '../fetcher.js';
import { isRequested } from '../schedule/tier-priority.js';
import { wantedSince } from '../schedule/wanted-since.js';
import { SourceCatalogue } from '../source-catalogue.js';
import { findDigests } from './feed-digests.js';
import { failureOf, isHostsFault } from './fetch-failure.js';
import type { FetchedSource } from './fetch-jobs.js';
import type { FetchTrace } from './fetch-trace.js';
import { FetcherToolbox } from './fetcher-toolbox.js';
import { type HostOutage, HostOutages } from './host-outages.js';
import { KeptFields } from './kept-fields.js';

const POSTS_A_PAGE = 50;

interface PageRequest {
  signal: AbortSignal;
  cursor?: string | undefined;
  validators?: Validators | undefined;
  since?: Date | undefined;
  ids?: FetchCommand['ids'];
  isUrgent?: boolean | undefined;
  /** Undefined: the page is fetched for all followers. */
  owner?: string | undefined;
  /** Requests a second that the host may be sent; undefined for no cap of ours. */
  maxPerSecond?: number | undefined;
  archive?: boolean | undefined;
  fields?: FieldPaths | undefined;
  digests?: FetchCommand['digests'];
  trace?: FetchTrace | undefined;
}

interface StoredSourceRequest {
  jobId: string;
  signal: AbortSignal;
  trace: FetchTrace;
}

@Injectable()
export class FetchPage {
  private readonly outages = new HostOutages();

  constructor(
    private readonly database: Database,
    private readonly toolbox: FetcherToolbox,
    private readonly catalogue: SourceCatalogue,
    private readonly clock: Clock,
    private readonly keptFields: KeptFields,
  ) {}

  async fetchNews(source: FetchedSource, request: StoredSourceRequest, cursor?: string): Promise<FetchResult> {
    const { jobId, signal, trace } = request;
    return this.fetch(source, {
      signal,
      trace,
      cursor,
      validators: source.validators,
      since: wantedSince(source, this.clock.now()),
      ids: { jobId, sourceId: source.id },
      isUrgent: isRequested(source),
      fields: await this.keptFields.pathsOf(source),
      digests: () => findDigests(this.database, source.id),
    });
  }

  /** Undefined: the document is not a feed, or the source does not accept pushed content. */
  async parsePushed(source: FetchedSource, document: Omit<FeedDocument, 'url'>): Promise<FoundPost[] | undefined> {
    const url = this.catalogue.find(source.type)?.pushedFrom?.(source);
    if (!url) return undefined;
    try {
      const fields = await this.keptFields.pathsOf(source);
      return (await this.toolbox.tools.parseFeed({ ...document, url, fields })).posts;
    } catch (error) {
      if (error instanceof FetchFailure) return undefined;
      throw error;
    }
  }

  /** Returns what stores the additional fields of fetched posts, if the source has any. */
  fieldWriter(source: FetchedSource, found: FoundPost[]): ((db: Db) => Promise<void>) | undefined {
    return this.keptFields.writerFor(source, found);
  }

  async fetch({ type, externalId }: SourceIdentity, request: PageRequest): Promise<FetchResult> {
    const fetcher = this.catalogue.find(type);
    if (!fetcher) throw new Error(`no fetcher for sources of type ${type}`);
    const { trace, owner, maxPerSecond, ...options } = request;
    const { cursor, validators = {} } = request;
    if (trace) trace.host = this.catalogue.hostOf({ type, externalId }) ?? trace.host;
    const command = { ...options, externalId, limit: POSTS_A_PAGE, validators: cursor ? {} : validators };
    const isPlanned = request.ids !== undefined;
    const tools = this.toolbox.toolsFor({ trace, background: { owner, isPlanned, maxPerSecond } });
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
}

function hostDownFailure(host: string, { since, until, reason }: HostOutage): FetchFailure {
  const times = `since ${since.toISOString()}, and is asked again at ${until.toISOString()}`;
  return new FetchFailure('NETWORK_ERROR', `${host} has been failing ${times}: ${reason}`, { wasAsked: false });
}
