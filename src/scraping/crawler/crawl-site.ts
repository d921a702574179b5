import type { HttpResponse } from '../../platform/http/http-response.js';
import { ThreadDied, ThreadTimeout } from '../../platform/threads/thread-error.js';
import { orAborted } from '../../platform/time/with-timeout.js';
import { failureOf, type PageContent, ScrapeFailure, type ScraperTools } from '../scraper.js';
import { type Candidate, Frontier } from './frontier.js';
import { pageAddress } from './page-address.js';
import type { Worth } from './page-worth.js';
import { robotsDirectives } from './robots-txt.js';
import { type Pause, SiteVisits } from './site-visits.js';
import { parseSitemap, type Sitemap, sitemapText } from './sitemap.js';

const MAX_FILES = 3;

/** Sitemaps of posts and products list thousands of pages that say nothing about the company, so these come first. */
const OF_PAGES = /page|seite|static|main|index|misc|company/i;

const ACCEPT = 'text/html, application/xhtml+xml;q=0.9';
const MAX_FAILURES_IN_ROW = 3;
/** A crawl ends after this many failures. Most are pages that robots.txt forbids, which cost no request. */
const MAX_FAILURES = 200;

export interface SitePage {
  url: string;
  worth: Worth;
  content: PageContent;
}

export interface CrawlTools extends Pick<ScraperTools, 'http' | 'signal' | 'readPage'> {
  pause: Pause;
  maxPages: number;
  /** Reads only the given pages and those below them, such as the further pages of a list. */
  isDirectory?: boolean | undefined;
  /** After this time (ms) no further page is requested, once there is at least one. */
  maxMs: number;
}

/** Crawls a site: first the given pages, then its sitemap, then promising pages, then other linked pages. */
export class SiteCrawl {
  private readonly pages: SitePage[] = [];
  private readonly failures: ScrapeFailure[] = [];
  private readonly frontier: Frontier;
  private readonly visits: SiteVisits;
  private readonly begunAt = performance.now();
  private asked = 0;
  private failuresInRow = 0;

  constructor(
    site: string,
    private readonly tools: CrawlTools,
  ) {
    this.frontier = new Frontier(site);
    this.visits = new SiteVisits(tools);
  }

  /** If there is no page, it fails with the first error. */
  async run(starts: URL[]): Promise<[SitePage, ...SitePage[]]> {
    const { isDirectory = false } = this.tools;
    this.frontier.start(isDirectory ? starts : [...starts, ...starts.map(({ origin }) => new URL(origin))]);
    let knowsSitemap = isDirectory;
    while (this.asked < this.tools.maxPages && this.failures.length < MAX_FAILURES && !this.isLate()) {
      const next = this.frontier.next();
      if (!next || !(await this.tryPage(next, starts))) break;
      if (knowsSitemap || !this.pages.length) continue;
      knowsSitemap = true;
      await this.addSitemap(next.url.origin);
    }
    const [first, ...others] = this.pages;
    if (!first) throw this.failures[0] ?? new ScrapeFailure('there is no page that can be read');
    return [first, ...others];
  }

  private isLate(): boolean {
    return this.pages.length > 0 && performance.now() - this.begunAt > this.tools.maxMs;
  }

  private async tryPage(candidate: Candidate, starts: URL[]): Promise<boolean> {
    try {
      await this.readPage(candidate, starts);
      this.failuresInRow = 0;
      return true;
    } catch (error) {
      this.tools.signal.throwIfAborted();
      const failure = failureOf(error);
      if (!failure) throw error;
      this.failures.push(failure);
      this.failuresInRow = failure.retryable ? this.failuresInRow + 1 : 0;
      return !failure.until && this.failuresInRow < MAX_FAILURES_IN_ROW;
    }
  }

  private async readPage({ url, depth, worth }: Candidate, starts: URL[]): Promise<void> {
    await this.visits.check(url);
    this.asked += 1;
    const response = await this.visits.get(url, ACCEPT);
    const arrived = new URL(response.url);
    await this.checkArrival(url, arrived);
    if (!this.frontier.arriveAt(arrived)) return;
    const content = await this.read(response);
    const header = robotsDirectives(response.headers['x-robots-tag'] ?? '');
    if (!content.noFollow && !header.noFollow) this.follow(content, { depth, starts });
    if (content.noIndex || header.noIndex) throw new ScrapeFailure(`${arrived.href} asks not to be kept (noindex)`);
    this.pages.push({ url: arrived.href, worth, content });
  }

  /** The pages of a list may form a long chain, so their depth does not grow. */
  private follow(content: PageContent, { depth, starts }: { depth: number; starts: URL[] }): void {
    const links = followed(content);
    if (!this.tools.isDirectory) {
      this.frontier.add(links, depth + 1);
      return;
    }
    const isBelow = (link: URL) => starts.some(({ pathname }) => link.pathname.startsWith(pathname.replace(/\/$/, '')));
    const below = links.filter(({ url }) => this.frontier.isOurs(new URL(url)) && isBelow(new URL(url)));
    this.frontier.start(below.filter(isFurtherPage).map(({ url }) => new URL(url)));
    this.frontier.add(below, 1);
  }

  /** The target of a redirect is known only after it was followed. */
  private async checkArrival(url: URL, arrived: URL): Promise<void> {
    if (!this.frontier.isOurs(arrived))
      throw new ScrapeFailure(`${url.href} redirects to another site, ${arrived.origin}`);
    await this.visits.check(arrived);
  }

  private async read(response: HttpResponse): Promise<PageContent> {
    if (!isHtml(response)) throw new ScrapeFailure(`${response.url} is no HTML page`);
    try {
      return await orAborted(this.tools.readPage({ html: response.text(), url: response.url }), this.tools.signal);
    } catch (error) {
      if (error instanceof ThreadTimeout || error instanceof ThreadDied)
        throw new ScrapeFailure(`${response.url} takes too much time or memory to read`, { cause: error });
      throw error;
    }
  }

  private async addSitemap(origin: string): Promise<void> {
    const pages = await sitemapPages(origin, this.visits, (url) => this.frontier.isOurs(url));
    this.frontier.add(
      pages.map((url) => ({ url })),
      1,
    );
  }
}

/** Further pages of a list often differ in the query only, for which other pages are not read. */
function isFurtherPage({ url, rel }: PageContent['links'][number]): boolean {
  const names = [...new URL(url).searchParams.keys()];
  return rel.split(/\s+/).includes('next') || names.some((name) => /^(page|p|seite|start|offset)$/i.test(name));
}

const followed = ({ links }: PageContent) => links.filter(({ rel }) => !rel.split(/\s+/).includes('nofollow'));

function isHtml({ headers, body }: HttpResponse): boolean {
  const type = headers['content-type'];
  if (type) return /^\s*(text\/html|application\/xhtml\+xml)\s*(;|,|$)/i.test(type);
  return /^[\s\ufeff]*</.test(body.subarray(0, 200).toString('utf8'));
}

async function sitemapPages(origin: string, visits: SiteVisits, isOurs: (url: URL) => boolean): Promise<string[]> {
  const { sitemaps } = await visits.robotsOf(origin);
  const waiting = sitemaps.length ? [...sitemaps] : [`${origin}/sitemap.xml`];
  const asked = new Set<string>();
  const pages: string[] = [];
  while (waiting.length && asked.size < MAX_FILES) {
    const url = pageAddress(waiting.shift() ?? '');
    if (!url || asked.has(url.href) || !isOurs(url)) continue;
    asked.add(url.href);
    const { isIndex, locations } = await read(url, visits);
    if (isIndex) waiting.unshift(...ofPagesFirst(locations));
    else pages.push(...locations);
  }
  return pages;
}

function ofPagesFirst(locations: string[]): string[] {
  const isOfPages = (location: string) => OF_PAGES.test(pageAddress(location)?.pathname ?? '');
  return [...locations.filter(isOfPages), ...locations.filter((location) => !isOfPages(location))];
}

/** A site without a sitemap is crawled as well. If the site refuses further requests, the next page shows that. */
async function read(url: URL, visits: SiteVisits): Promise<Sitemap> {
  try {
    const { body, headers } = await visits.get(url, 'application/xml, text/xml, */*;q=0.5');
    const text = await sitemapText(body, headers['content-type']);
    return parseSitemap(text ?? '');
  } catch (error) {
    if (failureOf(error)) return { isIndex: false, locations: [] };
    throw error;
  }
}
