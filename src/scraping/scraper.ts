import type { ScrapeResult } from '../contracts/scrape-result.js';
import type { HttpClient } from '../platform/http/http-client.js';
import { redactText } from '../platform/redact.js';
import type { FoundLead } from './leads/lead.js';

/** What is looked for. At least one of them is given. */
export interface Criteria {
  industry?: string | undefined;
  geography?: string | undefined;
  keywords: string[];
  searchQuery?: string | undefined;
  filters: Record<string, unknown>;
}

/** What a scraper may touch. */
export interface ScraperTools {
  http: Pick<HttpClient, 'get' | 'request'>;
  config: ScraperConfig;
  /** Aborted when the job is cancelled, its time is up, or Millrace stops. */
  signal: AbortSignal;
  readonly now: Date;
  /** Reads a page of a site off the main thread. */
  readPage: ReadPage;
  /** Has a worker of this type look. Fails with a ScrapeFailure. */
  askWorker(type: string, question: Criteria & { cursor?: string | undefined }): Promise<ScrapeResult>;
}

/** A plug-in: one place to look for leads. */
export interface Scraper {
  readonly type: string;
  /** For people, such as "Google Programmable Search". */
  readonly name: string;
  /** Whether it is asked over RabbitMQ. */
  readonly remote?: boolean | undefined;
  /** Which variables must be set before it can be used. */
  missing?(config: ScraperConfig): string[];
  /** Why it cannot look for this: the field and what is wrong with it. */
  refuse?(criteria: Criteria): { path: string; message: string } | undefined;
  /** Leads as they are found. Ends by itself; fails with a ScrapeFailure or an OutgoingRequestError. What came before holds. */
  scrape(criteria: Criteria, tools: ScraperTools): AsyncIterable<FoundLead>;
}

export const defineScraper = (scraper: Scraper): Scraper => scraper;

interface ScrapeFailureDetails {
  cause?: unknown;
  retryable?: boolean;
  until?: Date | undefined;
  isPartial?: boolean;
}

/** Why a place could not be searched, in words that the job's owner reads. */
export class ScrapeFailure extends Error {
  override readonly name = 'ScrapeFailure';
  /** It may well go better a few seconds later. */
  readonly retryable: boolean;
  /** When the place wants to be asked again. */
  readonly until: Date | undefined;
  /** Only some of what was asked for could not be searched: the rest is all there, and the search is done. */
  readonly isPartial: boolean;

  constructor(message: string, { cause, retryable = false, until, isPartial = false }: ScrapeFailureDetails = {}) {
    super(redactText(message), { cause });
    this.retryable = retryable;
    this.until = until;
    this.isPartial = isPartial;
  }
}

/** What a page of a site tells. */
export interface PageContent {
  title?: string | undefined;
  /** What the page calls the site that it belongs to. */
  siteName?: string | undefined;
  description?: string | undefined;
  /** Organisations that it describes in JSON-LD or microdata, the page's own first. */
  organisations: FoundLead[];
  emails: string[];
  phones: string[];
  /** Absolute, http and https only, without fragments. */
  links: { url: string; text: string; rel: string }[];
  /** May not be followed, or not be kept, as its robots meta says. */
  noFollow: boolean;
  noIndex: boolean;
}

export type ReadPage = (page: { html: string; url: string }) => Promise<PageContent>;

/** The part of the configuration that scrapers read. */
export interface ScraperConfig {
  googleUrl: string;
  googleKey?: string | undefined;
  googleEngine?: string | undefined;
  crunchbaseUrl: string;
  crunchbaseKey?: string | undefined;
  overpassUrl: string;
}
