import { getDomain } from 'tldts';
import { z } from 'zod';
import { Country, filterRefusal } from '../leads/company-filters.js';
import type { Criteria } from '../scraper.js';
import type { Search } from './search-provider.js';
import { searchQuery } from './search-query.js';

const MAX_ENTRIES = 10;

const listed = <T>(item: z.ZodType<T>) =>
  z
    .union([item.transform((one) => [one]), z.array(item).max(MAX_ENTRIES)], {
      error: `one, or a list of up to ${MAX_ENTRIES}`,
    })
    .nullish()
    .transform((list) => list ?? []);

const Language = z
  .string()
  .regex(/^[a-z]{2}(-[a-z]{2})?$/i, 'a language code, such as "de" or "pt-BR"')
  .transform((code) => code.toLowerCase());

/** A domain with or without a path, as search engines take it after `site:`. */
const Site = z
  .string()
  .max(200)
  .transform((text) =>
    text
      .trim()
      .replace(/^https?:\/\//i, '')
      .replace(/\/+$/, ''),
  )
  .refine((site) => /^[^\s"/]+(\/[^\s"]*)?$/.test(site) && getDomain(site) !== null, 'a domain, such as "example.org"');

const Excluded = z
  .string()
  .max(200)
  .transform((text) => text.replaceAll('"', ' ').replace(/\s+/g, ' ').trim());

/** The filters that search engines support. Other filters are ignored here. */
const SearchFilters = z.object({
  country: Country,
  language: Language.nullish(),
  site: listed(Site),
  exclude: listed(Excluded),
});

interface SearchRefusal {
  path: string;
  message: string;
}

export const NOTHING_TO_SEARCH_FOR: SearchRefusal = {
  path: 'search_query',
  message: 'nothing to search for: give search_query, industry, geography or keywords',
};

export function planSearch(criteria: Criteria, site?: string[]): { search: Search } | { refusal: SearchRefusal } {
  const { data: filters, error } = SearchFilters.safeParse(criteria.filters);
  if (error) return { refusal: filterRefusal(error) };
  const query = searchQuery(criteria, { site: site ?? filters.site, exclude: filters.exclude });
  const { country, language } = filters;
  return query
    ? { search: { query, country: country?.toLowerCase(), language: language ?? undefined } }
    : { refusal: NOTHING_TO_SEARCH_FOR };
}

export function refusalOf(plan: ReturnType<typeof planSearch>): SearchRefusal | undefined {
  return 'refusal' in plan ? plan.refusal : undefined;
}
