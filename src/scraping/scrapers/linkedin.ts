import { parse } from 'tldts';
import { z } from 'zod';
import type { FoundLead } from '../leads/lead.js';
import { ownDomain } from '../leads/shared-platforms.js';
import { defineScraper, ScrapeFailure } from '../scraper.js';
import { planSearch, refusalOf } from '../search/plan-search.js';
import type { SearchResult } from '../search/search-provider.js';
import { missingForSearch, searchResults } from '../search/search-providers.js';
import { fullTitle, metatag, organisationAddresses } from './google-result.js';

const SITE = ['linkedin.com/company'];
const HOST = /(^|\.)linkedin\.com$/;
const COMPANY = /^\/company\/([^/]+)(\/|$)/;

/** The suffixes that LinkedIn adds to a company's name in the titles of its pages. */
const SITE_SUFFIX = /(^|\s*(\||[-–—])\s*)LinkedIn( \p{L}+)?$/iu;
const SECTION = /\s*:\s*(overview|about|jobs|careers|life|people|posts|products|videos|events|insights|culture)$/iu;

/** LinkedIn itself receives no requests. */
export const linkedin = defineScraper({
  type: 'linkedin',
  name: 'LinkedIn company pages, through web search',
  filters: ['country', 'language', 'exclude'],
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
    domain: webSiteOf(result),
    description: result.snippet ?? undefined,
    url: `https://www.linkedin.com/company/${slug}`,
    raw: result.raw,
  };
}

/** Company pages name the company's web site: "Website: https://acme.example". */
const WEB_SITE =
  /(?:web ?site|webseite|site web|sitio web|sito web)[\s:.|–-]{1,5}((?:https?:\/\/)?(?:[\p{L}\d-]{1,63}\.){1,5}\p{L}{2,20})/giu;

const Details = z.object({
  /** Brave Search and Serper return further texts and facts of the page. */
  extra_snippets: z.array(z.string()).nullish().catch(undefined),
  attributes: z.record(z.string(), z.string()).nullish().catch(undefined),
});

/** Returns the company's own domain if the result or the structured data of its page has one. */
function webSiteOf(result: SearchResult): string | undefined {
  const { extra_snippets, attributes } = Details.safeParse(result.raw).data ?? {};
  const facts = Object.entries(attributes ?? {}).map(([name, value]) => `${name}: ${value}`);
  const texts = [result.snippet ?? '', ...(extra_snippets ?? []), ...facts];
  const named = texts.flatMap((text) => [...text.matchAll(WEB_SITE)].map(([, address = '']) => address));
  const addresses = [...organisationAddresses(result), ...named.filter((address) => parse(address).isIcann)];
  return addresses.flatMap((address) => ownDomain(address) ?? [])[0];
}

/** Returns the slug in the spelling that all pages of a company share. */
function slugOf(link: string): string | undefined {
  const { hostname, pathname } = new URL(link);
  const slug = HOST.test(hostname) ? COMPANY.exec(pathname)?.[1] : undefined;
  return slug?.toLowerCase().replace(/%[0-9a-f]{2}/g, (byte) => byte.toUpperCase());
}
