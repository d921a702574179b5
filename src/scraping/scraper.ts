import type { ScrapeResult } from '../contracts/scrape-result.js';
import type { HttpClient } from '../platform/http/http-client.js';
import { OutgoingRequestError } from '../platform/http/outgoing-request-error.js';
import { redactText } from '../platform/redact.js';
import type { FoundLead } from './leads/lead.js';

/** At least one of the criteria is given. */
export interface Criteria {
  industry?: string | undefined;
  geography?: string | undefined;
  keywords: string[];
  searchQuery?: string | undefined;
  filters: Record<string, unknown>;
}

export interface ScraperTools {
  http: Pick<HttpClient, 'get' | 'request'>;
  config: ScraperConfig;
  /** Aborts when the job is cancelled, its time is up, or Millrace stops. */
  signal: AbortSignal;
  readonly now: Date;
  readPage: ReadPage;
  /** Sends the search to a worker of this type. It fails with a ScrapeFailure. */
  askWorker(type: string, question: Criteria & { cursor?: string | undefined }): Promise<ScrapeResult>;
}

export interface Scraper {
  readonly type: string;
  readonly name: string;
  readonly remote?: boolean | undefined;
  /** The filters that it applies. Without a list, it takes care of all of them itself. */
  readonly filters?: readonly string[] | undefined;
  missing?(config: ScraperConfig): string[];
  refuse?(criteria: Criteria): { path: string; message: string } | undefined;
  /** It fails with a ScrapeFailure or an OutgoingRequestError. Leads yielded before a failure are kept. */
  scrape(criteria: Criteria, tools: ScraperTools): AsyncIterable<FoundLead>;
}

export const defineScraper = (scraper: Scraper): Scraper => scraper;

interface ScrapeFailureDetails {
  cause?: unknown;
  retryable?: boolean;
  until?: Date | undefined;
  isPartial?: boolean;
}

/** The job's owner reads the message. */
export class ScrapeFailure extends Error {
  override readonly name = 'ScrapeFailure';
  readonly retryable: boolean;
  readonly until: Date | undefined;
  /** Only some of the requested sources could not be searched. The rest is complete, so the search is done. */
  readonly isPartial: boolean;

  constructor(message: string, { cause, retryable = false, until, isPartial = false }: ScrapeFailureDetails = {}) {
    super(redactText(message), { cause });
    this.retryable = retryable;
    this.until = until;
    this.isPartial = isPartial;
  }
}

const RETRYABLE = new Set<OutgoingRequestError['code']>(['NETWORK_ERROR', 'TIMEOUT', 'HOST_BUSY']);

/** Returns undefined for internal errors, which the job's owner must not read. */
export function failureOf(error: unknown): ScrapeFailure | undefined {
  if (error instanceof ScrapeFailure) return error;
  if (!(error instanceof OutgoingRequestError)) return undefined;
  const { code, message, until } = error;
  return new ScrapeFailure(message, { cause: error, retryable: RETRYABLE.has(code), until });
}

export interface PageContent {
  title?: string | undefined;
  siteName?: string | undefined;
  description?: string | undefined;
  /** Organisations that the page describes in JSON-LD or microdata, its own first. */
  organisations: FoundLead[];
  emails: string[];
  phones: string[];
  /** Absolute http and https addresses without fragments. */
  links: { url: string; text: string; rel: string }[];
  /** Directives of the robots meta tag: links may not be followed, or the page may not be stored. */
  noFollow: boolean;
  noIndex: boolean;
}

export type ReadPage = (page: { html: string; url: string }) => Promise<PageContent>;

export interface ScraperConfig {
  searchProvider?: 'searxng' | 'brave' | 'serper' | 'google' | undefined;
  searchUrl?: string | undefined;
  searchKey?: string | undefined;
  googleUrl: string;
  googleKey?: string | undefined;
  googleEngine?: string | undefined;
  crunchbaseUrl: string;
  crunchbaseKey?: string | undefined;
  overpassUrl: string;
}
