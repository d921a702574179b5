import { OutgoingRequestError } from '../../platform/http/outgoing-request-error.js';
import { inParallel } from '../async-iteration.js';
import { type CrawlTools, SiteCrawl, type SitePage } from '../crawler/crawl-site.js';
import { leadOfSite } from '../crawler/lead-of-site.js';
import { listedOrganisations } from '../crawler/listed-organisations.js';
import { realPause } from '../crawler/site-visits.js';
import { crawlOrder, type Site } from '../crawler/sites.js';
import { matchesFilters } from '../leads/company-filters.js';
import type { FoundLead } from '../leads/lead.js';
import { defineScraper, failureOf, ScrapeFailure, type Scraper } from '../scraper.js';

const SITE_CONCURRENCY = 4;
const MAX_REASONS = 10;
/** The time limit for one site (ms), for sites that allow only a request per minute. */
const MAX_MS = 10 * 60_000;

/** Crawls the sites of `filters.sites`, or those named by the query and the keywords. Yields one lead for each, or the
 * organisations that they list. */
export function webScraper({
  pause = realPause,
  maxMs = MAX_MS,
}: Partial<Pick<CrawlTools, 'pause' | 'maxMs'>> = {}): Scraper {
  return defineScraper({
    type: 'web',
    name: 'Web sites that are given',
    filters: ['sites', 'maxPages', 'directory', 'company_size', 'founded', 'country'],
    refuse(criteria) {
      const order = crawlOrder(criteria);
      return 'sites' in order ? undefined : order;
    },
    async *scrape(criteria, tools) {
      const order = crawlOrder(criteria);
      if (!('sites' in order)) throw new ScrapeFailure(`${order.path}: ${order.message}`);
      const stop = new AbortController();
      const signal = AbortSignal.any([tools.signal, stop.signal]);
      const failures: ScrapeFailure[] = [];
      try {
        const { maxPages, isDirectory, filters } = order;
        const crawl = (site: Site) => tryCrawl(site, { ...tools, maxPages, isDirectory, pause, maxMs, signal });
        for await (const outcome of inParallel(order.sites, SITE_CONCURRENCY, crawl)) {
          if (outcome instanceof ScrapeFailure) failures.push(outcome);
          else yield* outcome.filter((lead) => matchesFilters(lead, filters));
        }
      } finally {
        stop.abort();
      }
      if (failures.length === order.sites.length) throw togetherOf(failures);
      if (failures.length) throw partOf(failures, order.sites.length);
    },
  });
}

export const web = webScraper();

/** One failed site does not stop the others. */
async function tryCrawl(site: Site, tools: CrawlTools): Promise<FoundLead[] | ScrapeFailure> {
  try {
    const pages = await crawl(site, tools);
    if (!tools.isDirectory) return [leadOfSite(site.host, pages)];
    const listed = listedOrganisations(site.host, pages);
    return listed.length ? listed : noneListed(pages[0].url);
  } catch (error) {
    tools.signal.throwIfAborted();
    const failure = failureOf(error);
    if (failure) return failure;
    throw error;
  }
}

function noneListed(url: string): ScrapeFailure {
  const expected = 'organisations with web addresses of their own in JSON-LD or microdata';
  return new ScrapeFailure(`${url} lists no ${expected}`);
}

async function crawl({ host, starts, fallbacks }: Site, tools: CrawlTools): Promise<[SitePage, ...SitePage[]]> {
  try {
    return await new SiteCrawl(host, tools).run(starts);
  } catch (error) {
    if (!fallbacks.length || !isDead(error)) throw error;
    return new SiteCrawl(host, tools).run(fallbacks);
  }
}

function isDead(error: unknown): boolean {
  const cause = error instanceof ScrapeFailure ? error.cause : undefined;
  return cause instanceof OutgoingRequestError && ['NETWORK_ERROR', 'TIMEOUT'].includes(cause.code);
}

/** Sites that could be read are not crawled again because of the others. */
function partOf(failures: ScrapeFailure[], sites: number): ScrapeFailure {
  const message = `${failures.length} of ${sites} sites could not be read: ${reasonsOf(failures)}`;
  return new ScrapeFailure(message, { cause: failures[0], isPartial: true });
}

function reasonsOf(failures: ScrapeFailure[]): string {
  const reasons = failures.slice(0, MAX_REASONS).map(({ message }) => message);
  const more = failures.length - reasons.length;
  return `${reasons.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** The search is retried if that may help any site, at the earliest time that one of them names. */
function togetherOf(failures: ScrapeFailure[]): ScrapeFailure {
  const [until] = failures.flatMap((failure) => failure.until ?? []).toSorted((a, b) => a.getTime() - b.getTime());
  return new ScrapeFailure(reasonsOf(failures), {
    cause: failures[0],
    retryable: failures.some(({ retryable }) => retryable),
    until,
  });
}
