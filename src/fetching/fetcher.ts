import type { z } from 'zod';
import type { FetchResult as RemoteResult } from '../contracts/fetch-result.js';
import type { HttpClient } from '../platform/http/http-client.js';
import { redactText } from '../platform/redact.js';
import type { FoundPost } from '../posts/post.js';
import type { Allowance, Validators } from '../sources/fetch-states.table.js';

export interface FetchCommand {
  ids?: { jobId: string; sourceId: string } | undefined;
  externalId: string;
  cursor?: string | undefined;
  /** Fetchers may treat it as a hint. */
  limit: number;
  /** Validators that the last page of newest posts returned. Empty if a cursor is given. */
  validators: Validators;
  /** Posts published before this time are usually stored already and may be left out. */
  since?: Date | undefined;
  /** If set, `nextCursor` also leads into the archive of a source whose older posts are normally not fetched. */
  archive?: boolean | undefined;
  fields?: FieldPaths | undefined;
  /** A user waits for the posts, so the commands to workers come before those of the schedule. */
  isUrgent?: boolean | undefined;
  /** This is a function, because few fetches need the digests. */
  digests?: (() => Promise<Uint8Array | null>) | undefined;
  now: Date;
  signal: AbortSignal;
}

/** Elements or keys on the way down, as `job:location/city`, `enclosure@url`. The first path with a value counts. */
export type FieldPaths = Record<string, string[]>;

export interface Unreadable {
  /** Position among all items of the page, from 1. */
  place: number;
  reason: string;
}

export interface FetcherTools {
  http: Pick<HttpClient, 'get' | 'request'>;
  config: FetcherConfig;
  parseFeed: ParseFeed;
  askWorker(type: string, command: FetchCommand): Promise<RemoteResult>;
}

export interface FetchedPage {
  /** The order is that of the source, not always newest first. Posts that are stored already may be left out. */
  posts: FoundPost[];
  partly?: boolean | undefined;
  digests?: Uint8Array | undefined;
  unreadable?: Unreadable[] | undefined;
  /** Positions, from 1, of items that repeat another item of the page. */
  repeated?: number[] | undefined;
  nextCursor?: string | undefined;
  source?: { title?: string | undefined; siteUrl?: string | undefined } | undefined;
  validators?: Validators | undefined;
  allows?: Allowance | undefined;
  /** New external id of a source that has moved permanently. Only its followers are moved there. */
  movedTo?: string | undefined;
  /** External id of the source that answered instead of the requested one. The posts are stored there only. */
  servedBy?: string | undefined;
  /** External id that the account keeps when it is renamed, if it differs from the current one. */
  lastingId?: string | undefined;
  announces?: Announcement | undefined;
}

/** Hubs (WebSub) are in order of preference. The topic is the URL under which they know the source. */
export interface Announcement {
  hubs: string[];
  topic: string;
}

interface Unchanged {
  unchanged: true;
  /** True if the source said so itself (HTTP 304) instead of sending the same content again. */
  notModified?: boolean | undefined;
  validators: Validators;
  allows?: Allowance | undefined;
  movedTo?: string | undefined;
}

export type FetchResult = FetchedPage | Unchanged;

export interface Fetcher {
  readonly type: string;
  readonly name: string;
  /** Validates an external id and normalises it to the one spelling that identifies the source. */
  readonly externalId: z.ZodType<string, string>;
  readonly remote?: boolean | undefined;
  /** Decides by the URL alone, without a request. */
  recognise?(url: URL): string | undefined;
  /** Requests the page, as for the channel of a YouTube handle. */
  lookUp?(url: URL, tools: FetcherTools, signal: AbortSignal): Promise<string | undefined>;
  address?(externalId: string, config: FetcherConfig): string;
  /** Undefined: pushed posts may differ from fetched ones, so a push triggers a fetch instead. */
  pushedFrom?(source: { externalId: string; validators: Validators }): string | undefined;
  /** Fails with a FetchFailure, an OutgoingRequestError or NoWorker. */
  fetch(command: FetchCommand, tools: FetcherTools): Promise<FetchResult>;
}

export const defineFetcher = (fetcher: Fetcher): Fetcher => fetcher;

export type FetchFailureCode =
  | 'NETWORK_ERROR'
  | 'TIMEOUT_ERROR'
  | 'AUTH_ERROR'
  | 'PRIVATE_PROFILE'
  | 'NOT_FOUND'
  | 'GONE'
  | 'RATE_LIMITED'
  | 'INVALID_COMMAND'
  | 'INVALID_CONTENT'
  | 'UNKNOWN_ERROR';

/** The reason why a source could not be fetched. Followers read the message. */
export class FetchFailure extends Error {
  override readonly name = 'FetchFailure';
  readonly until: Date | undefined;
  readonly retryable: boolean;
  /** False if no request was sent, because the host is known to be down. */
  readonly wasAsked: boolean;

  constructor(
    readonly code: FetchFailureCode,
    message: string,
    { cause, until, retryable = false, wasAsked = true }: FetchFailureDetails = {},
  ) {
    super(redactText(message), { cause });
    this.until = until;
    this.retryable = retryable;
    this.wasAsked = wasAsked;
  }
}

interface FetchFailureDetails {
  cause?: unknown;
  until?: Date | undefined;
  retryable?: boolean;
  wasAsked?: boolean;
}

/** No request was sent, so the source is not at fault. */
export class NoWorker extends Error {
  override readonly name = 'NoWorker';
}

export interface FeedDocument {
  body: Uint8Array;
  contentType?: string | undefined;
  contentLocation?: string | undefined;
  /** URL after all redirects; relative URLs resolve against it. */
  url: string;
  fields?: FieldPaths | undefined;
  judgeItems?: boolean | undefined;
}

export interface ParsedFeed {
  title?: string | undefined;
  siteUrl?: string | undefined;
  hubUrls?: string[] | undefined;
  selfUrl?: string | undefined;
  /** URL of the page with older posts, if the feed is paged or archived (RFC 5005). */
  olderUrl?: string | undefined;
  allows: Allowance;
  posts: FoundPost[];
  unreadable?: Unreadable[] | undefined;
  repeated?: number[] | undefined;
  idsDepend?: true | undefined;
  itemsStandAlone?: boolean | undefined;
}

/** Fails with a FetchFailure INVALID_CONTENT whose message says what the document is instead of a feed. */
export type ParseFeed = (document: FeedDocument) => Promise<ParsedFeed>;

export interface FetcherConfig {
  youtubeUrl: string;
  blueskyUrl: string;
  mastodonUrl?: string | undefined;
}
