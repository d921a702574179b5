import { getDomain, parse } from 'tldts';
import { z } from 'zod';
import { hostOf } from '../../platform/hosts/host-of.js';
import { parseWebAddress } from '../../platform/http/web-address.js';
import { CompanyFilters, filterRefusal } from '../leads/company-filters.js';
import type { Criteria } from '../scraper.js';

const MAX_ADDRESS_LENGTH = 2_000;
const HOST = /^(?:[^\s/?#:@]+\.[^\s/?#:@]+|\[[\da-f:.]+\]|localhost)(?::\d{1,5})?(?:[/?#]|$)/i;
const MAX_SITES = 50;
const MAX_PAGES = 20;

const WebFilters = CompanyFilters.extend({
  sites: z.array(z.string('an address or a domain')).max(MAX_SITES, `at most ${MAX_SITES} sites`).optional(),
  directory: z.boolean('true or false').nullish(),
  maxPages: z.int(`a whole number`).min(1, 'at least 1').max(MAX_PAGES, `at most ${MAX_PAGES}`).optional(),
});

export interface Site {
  host: string;
  starts: URL[];
  /** Addresses to try if none of the starts is reachable, because a site without a scheme may use http or https. */
  fallbacks: URL[];
}

interface CrawlOrder {
  sites: Site[];
  maxPages: number;
  /** Whether the organisations that the sites list are wanted, instead of those that own them. */
  isDirectory: boolean;
  filters: CompanyFilters;
}

export function crawlOrder(criteria: Criteria): CrawlOrder | { path: string; message: string } {
  const filters = WebFilters.safeParse(criteria.filters);
  if (!filters.success) return filterRefusal(filters.error);
  const { sites: given, maxPages = MAX_PAGES, directory } = filters.data;
  const bad = given?.find((text) => !typedAddresses(text).length);
  if (bad !== undefined)
    return { path: 'filters.sites', message: `${JSON.stringify(bad.slice(0, 100))} is no web address` };
  const sites = bySite(given ?? [criteria.searchQuery ?? '', ...criteria.keywords].filter(isMeantAsAddress));
  if (!sites.length) return { path: 'filters.sites', message: 'the sites to be crawled, as addresses or domains' };
  if (sites.length > MAX_SITES) return { path: 'keywords', message: `at most ${MAX_SITES} sites` };
  return { sites, maxPages, isDirectory: directory === true, filters: filters.data };
}

function bySite(texts: string[]): Site[] {
  const sites = new Map<string, Site>();
  for (const [start, fallback] of texts.map(typedAddresses)) {
    if (!start) continue;
    const host = hostOf(start);
    const site = sites.get(host) ?? { host, starts: [], fallbacks: [] };
    sites.set(host, site);
    site.starts.push(start);
    if (fallback) site.fallbacks.push(fallback);
  }
  return [...sites.values()];
}

/** `node.js` is not a site. Between other words, only names with a public suffix count as addresses. */
function isMeantAsAddress(text: string): boolean {
  const [url] = typedAddresses(text);
  return !!url && (/^\s*https?:/i.test(text) || (!!getDomain(url.hostname) && parse(url.hostname).isIcann === true));
}

/** Returns a second address if the text has no scheme. */
export function typedAddresses(text: string): URL[] {
  const typed = text.trim();
  if (typed.length > MAX_ADDRESS_LENGTH) return [];
  const spelled = /^https?:\/\//i.test(typed)
    ? [typed]
    : HOST.test(typed)
      ? [`https://${typed}`, `http://${typed}`]
      : [];
  return spelled.flatMap((one) => parseWebAddress(one)?.url ?? []);
}
