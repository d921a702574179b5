import type { z } from 'zod';
import type { FetchResult as RemoteResult } from '../contracts/fetch-result.js';
import type { HttpClient } from '../platform/http/http-client.js';
import { redactText } from '../platform/redact.js';
import type { FoundPost } from '../posts/post.js';
import type { Allowance, Validators } from '../sources/fetch-states.table.js';

/** What a fetcher is asked for: one page of a source's posts. */
export interface FetchCommand {
  /** For whom and in which job, where a worker and its log are told. */
  ids?: { jobId: string; sourceId: string } | undefined;
  externalId: string;
  /** Where to go on, as an earlier page's `nextCursor` told. Without it the newest posts are wanted. */
  cursor?: string | undefined;
  /** Posts wanted in the page, at most; a hint. */
  limit: number;
  /** What the last page of newest posts left behind. Empty where a cursor is given. */
  validators: Validators;
  /** Posts published before are known as a rule, and need not be shown again. */
  since?: Date | undefined;
  /** Whether `nextCursor` is to lead into the archive of a source whose older posts are not asked for as a rule. */
  archive?: boolean | undefined;
  /** What else is to be read of each item. */
  fields?: FieldPaths | undefined;
  /** The digests that the last page with any has left behind; asked for only where they are of use. */
  digests?: (() => Promise<Uint8Array | null>) | undefined;
  now: Date;
  signal: AbortSignal;
}

/**
 * Where fields of an item are read from, by name: elements or keys on the way down, as `company`, `job:location/city`,
 * `enclosure@url`. Case does not matter. The first path that leads to something counts.
 */
export type FieldPaths = Record<string, string[]>;

/** An item that is in the source and cannot be a post. */
export interface Unreadable {
  /** Among all items of the page, from 1. */
  place: number;
  reason: string;
}

/** What else a fetcher may touch. */
export interface FetcherTools {
  http: Pick<HttpClient, 'get' | 'request'>;
  config: FetcherConfig;
  /** Reads a feed off the main thread. */
  parseFeed: ParseFeed;
  /** Has a worker of this type fetch the page. Fails with NoWorker or a FetchFailure. */
  askWorker(type: string, command: FetchCommand): Promise<RemoteResult>;
}

export interface FetchedPage {
  /** In the source's order, which is newest first as a rule but not always. Those that are known may be left out. */
  posts: FoundPost[];
  /** Whether some were left out. */
  partly?: boolean | undefined;
  /** To be kept with the validators, in place of others. */
  digests?: Uint8Array | undefined;
  unreadable?: Unreadable[] | undefined;
  /** Places, from 1, of items that repeat another one of the page. */
  repeated?: number[] | undefined;
  /** Where older posts begin, if there are any and the source can be paged. */
  nextCursor?: string | undefined;
  source?: { title?: string | undefined; siteUrl?: string | undefined } | undefined;
  validators?: Validators | undefined;
  allows?: Allowance | undefined;
  /** Its new external id, if it has moved for good: its followers go there, and nothing else does. */
  movedTo?: string | undefined;
  /** Whose page this is, if another source than the one that was asked for has answered. Its posts are stored there only. */
  servedBy?: string | undefined;
  /** The external id that the very same account keeps when it takes another name, if it goes by another one by now. */
  lastingId?: string | undefined;
  announces?: Announcement | undefined;
}

/** Who pushes news of a source (WebSub), the first that will; and the address by which they know it. */
export interface Announcement {
  hubs: string[];
  topic: string;
}

/** Nothing has changed since the validators were given. */
interface Unchanged {
  unchanged: true;
  /** The source has said so, instead of showing the same again. */
  notModified?: boolean | undefined;
  validators: Validators;
  allows?: Allowance | undefined;
  movedTo?: string | undefined;
}

export type FetchResult = FetchedPage | Unchanged;

/** A plug-in: one kind of source. */
export interface Fetcher {
  readonly type: string;
  /** For people, such as "YouTube channel". */
  readonly name: string;
  /** Checks an external id and brings it into the one spelling that stands for the source. */
  readonly externalId: z.ZodType<string, string>;
  /** Whether it is fetched by workers, over RabbitMQ. */
  readonly remote?: boolean | undefined;
  /** Whether a profile's or channel's address is one of its sources, told by the address alone. */
  recognise?(url: URL): string | undefined;
  /** The same where the page must be asked for, as a YouTube handle's channel. */
  lookUp?(url: URL, tools: FetcherTools, signal: AbortSignal): Promise<string | undefined>;
  /** Where its requests go, if the external id is not itself that address. */
  address?(externalId: string, config: FetcherConfig): string;
  /**
   * Where a feed that its hub has pushed is read as if it had been fetched there. Undefined: its posts alone might come to
   * something else, and a push has the source fetched.
   */
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

/** Why a source could not be fetched, in words that its followers read. */
export class FetchFailure extends Error {
  override readonly name = 'FetchFailure';
  /** When the source wants to be asked again. */
  readonly until: Date | undefined;
  /** It may well go better a few seconds later. */
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

/** Nobody was asked, because there is nobody to ask or no way to reach them. The source is not to blame. */
export class NoWorker extends Error {
  override readonly name = 'NoWorker';
}

/** A feed document as it came. */
export interface FeedDocument {
  body: Uint8Array;
  contentType?: string | undefined;
  contentLocation?: string | undefined;
  /** Where it came from in the end: the base of its relative addresses. */
  url: string;
  fields?: FieldPaths | undefined;
  /** Whether to find out if each item can be read without the others. */
  judgeItems?: boolean | undefined;
}

export interface ParsedFeed {
  title?: string | undefined;
  siteUrl?: string | undefined;
  /** Hubs that push news of this feed (WebSub), and the feed's own address as it says. */
  hubUrls?: string[] | undefined;
  selfUrl?: string | undefined;
  /** The page of older posts, where the feed is paged or archived (RFC 5005). */
  olderUrl?: string | undefined;
  allows: Allowance;
  posts: FoundPost[];
  unreadable?: Unreadable[] | undefined;
  repeated?: number[] | undefined;
  /** An item's id would be another one without some of the others. */
  idsDepend?: true | undefined;
  /** Found out if asked for. */
  itemsStandAlone?: boolean | undefined;
}

/** Fails with a FetchFailure INVALID_CONTENT that says in words what the document is instead of a feed. */
export type ParseFeed = (document: FeedDocument) => Promise<ParsedFeed>;

/** The part of the configuration that fetchers read. */
export interface FetcherConfig {
  youtubeUrl: string;
  blueskyUrl: string;
  /** In place of each account's own instance. */
  mastodonUrl?: string | undefined;
}
