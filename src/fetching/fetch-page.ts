import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import type { Config } from '../platform/config.js';
import { CONFIG } from '../platform/config.token.js';
import { HttpClient } from '../platform/http/http-client.js';
import type { Validators } from '../sources/fetch-states.table.js';
import type { SourceIdentity } from '../sources/source-types.js';
import { FetchTypes } from './fetch-types.js';
import type { FetchCommand, FetcherTools, FetchResult, FieldPaths } from './fetcher.js';
import { FeedParser } from './parsing/feed-parser.js';
import { WorkerCalls } from './remote/worker-calls.js';

const POSTS_A_PAGE = 50;
/** A busy host is asked again later, instead of holding up the sources of all others. */
const LINE_MS = 2_000;

export interface PageRequest {
  signal: AbortSignal;
  cursor?: string | undefined;
  validators?: Validators | undefined;
  since?: Date | undefined;
  /** Whose it is, where that is known. */
  ids?: FetchCommand['ids'];
  archive?: boolean | undefined;
  fields?: FieldPaths | undefined;
  digests?: FetchCommand['digests'];
}

/** Fetches one page of any source, whatever its type. Changes nothing. */
@Injectable()
export class FetchPage {
  private readonly common: Omit<FetcherTools, 'http'>;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly http: HttpClient,
    parser: FeedParser,
    workers: WorkerCalls,
    private readonly types: FetchTypes,
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
    const fetcher = this.types.find(type);
    if (!fetcher) throw new Error(`no fetcher for sources of type ${type}`);
    const { cursor, validators = {} } = request;
    const command = { ...request, externalId, limit: POSTS_A_PAGE, validators: cursor ? {} : validators };
    const tools = this.toolsFor({ isFetch: request.ids !== undefined });
    return fetcher.fetch({ ...command, now: this.clock.now() }, tools);
  }

  private toolsFor({ isFetch }: { isFetch: boolean }): FetcherTools {
    return { ...this.common, http: impatient(this.http, isFetch) };
  }
}

/** What comes after a page's first request has cost one already, and waits for its turn as long as need be. */
function impatient(http: HttpClient, isFetch: boolean): FetcherTools['http'] {
  let goesOn = false;
  const request: HttpClient['request'] = async (url, options) => {
    const timeouts = { line: LINE_MS, ...options?.timeouts };
    const response = await http.request(url, { ...options, timeouts, isFetch, goesOn });
    goesOn = true;
    return response;
  };
  return { get: request, request };
}
