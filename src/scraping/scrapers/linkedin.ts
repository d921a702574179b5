import type { FoundLead } from '../leads/lead.js';
import { defineScraper, ScrapeFailure } from '../scraper.js';
import { planSearch, refusalOf } from '../search/plan-search.js';
import type { SearchResult } from '../search/search-provider.js';
import { missingForSearch, searchResults } from '../search/search-providers.js';
import { fullTitle, metatag } from './google-result.js';

const SITE = ['linkedin.com/company'];
const HOST = /(^|\.)linkedin\.com$/;
const COMPANY = /^\/company\/([^/]+)(\/|$)/;

/** The suffixes that LinkedIn adds to a company's name in the titles of its pages. */
const SITE_SUFFIX = /(^|\s*(\||[-–—])\s*)LinkedIn( \p{L}+)?$/iu;
const SECTION = /\s*:\s*(overview|about|jobs|careers|life|people|posts|products|videos|events|insights|culture)$/iu;

/** LinkedIn itself receives no requests. Supports the filters country, language and exclude. */
export const linkedin = defineScraper({
  type: 'linkedin',
  name: 'LinkedIn company pages, through web search',
  missing: missingForSearch,
  refuse: (criteria) => refusalOf(planSearch(criteria, SITE)),

  async *scrape(criteria, tools) {
    const plan = planSearch(criteria, SITE);
    if ('refusal' in plan) throw new ScrapeFailure(plan.refusal.message);
    const seen = new Set<string | undefined>();
    for await (const result of searchResults(plan.search, tools)) {
      const lead = companyPage(result);
      if (!lead || seen.has(lead.url)) continue;
      seen.add(lead.url);
      yield lead;
    }
  },
});

/** Returns undefined for other pages, such as people or posts. */
function companyPage(result: SearchResult): FoundLead | undefined {
  const slug = slugOf(result.link);
  if (!slug) return undefined;
  const title = fullTitle(result.title ?? '', metatag(result, 'og:title'));
  const name = title
    .replace(SITE_SUFFIX, '')
    .replace(SECTION, '')
    .replace(/\s*(…|\.{3})$/u, '')
    .trim();
  return {
    name: name || slug,
    description: result.snippet ?? undefined,
    url: `https://www.linkedin.com/company/${slug}`,
    raw: result.raw,
  };
}

/** Returns the slug in the spelling that all pages of a company share. */
function slugOf(link: string): string | undefined {
  const { hostname, pathname } = new URL(link);
  const slug = HOST.test(hostname) ? COMPANY.exec(pathname)?.[1] : undefined;
  return slug?.toLowerCase().replace(/%[0-9a-f]{2}/g, (byte) => byte.toUpperCase());
}
