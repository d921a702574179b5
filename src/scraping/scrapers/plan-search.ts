import { getDomain } from 'tldts';
import { z } from 'zod';
import type { Criteria } from '../scraper.js';
import { googleQuery } from './google-query.js';
import type { Search } from './google-search.js';

const MAX_ENTRIES = 10;

const listed = <T>(item: z.ZodType<T>) =>
  z
    .union([item.transform((one) => [one]), z.array(item).max(MAX_ENTRIES)], {
      error: `one, or a list of up to ${MAX_ENTRIES}`,
    })
    .nullish()
    .transform((list) => list ?? []);

const Country = z
  .string()
  .regex(/^[a-z]{2}$/i, 'a country code of two letters, such as "de"')
  .transform((code) => code.toLowerCase());

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

/** The filters that the search engine supports. Other filters are ignored here. */
const GoogleFilters = z.object({
  /** Restricts to pages from this country, and ranks as for its users. */
  country: Country.nullish(),
  language: Language.nullish(),
  site: listed(Site),
  /** Excludes pages with these words or of these sites. */
  exclude: listed(Excluded),
});

/** The languages to which results can be restricted. The engine has old names for some. */
const RESTRICTABLE = new Set(
  'ar bg ca cs da de el en es et fi fr hr hu id is it iw ja ko lt lv nl no pl pt ro ru sk sl sr sv tr zh-CN zh-TW'.split(
    ' ',
  ),
);

const ENGINE_NAMES: Record<string, string> = {
  he: 'iw',
  nb: 'no',
  nn: 'no',
  zh: 'zh-CN',
  'zh-cn': 'zh-CN',
  'zh-tw': 'zh-TW',
};

interface Trouble {
  path: string;
  message: string;
}

export const NOTHING_TO_SEARCH_FOR: Trouble = {
  path: 'search_query',
  message: 'nothing to search for: give search_query, industry, geography or keywords',
};

/** Plans the search engine's query, on the given sites or on those of the filters. */
export function planSearch(criteria: Criteria, site?: string[]): { search: Search } | { trouble: Trouble } {
  const { filters, trouble } = readFilters(criteria.filters);
  if (trouble) return { trouble };
  const query = googleQuery(criteria, { site: site ?? filters.site, exclude: filters.exclude });
  return query ? { search: { query, parameters: filterParameters(filters) } } : { trouble: NOTHING_TO_SEARCH_FOR };
}

export function troubleOf(plan: ReturnType<typeof planSearch>): Trouble | undefined {
  return 'trouble' in plan ? plan.trouble : undefined;
}

type GoogleFilters = z.infer<typeof GoogleFilters>;

type FilterResult =
  | { filters: GoogleFilters; trouble?: undefined }
  | { filters?: undefined; trouble: { path: string; message: string } };

/** Returns the filters, or the first invalid one. */
function readFilters(given: Criteria['filters']): FilterResult {
  const read = GoogleFilters.safeParse(given);
  if (read.success) return { filters: read.data };
  const [issue] = read.error.issues;
  return {
    trouble: { path: ['filters', ...(issue?.path ?? [])].join('.'), message: issue?.message ?? 'not understood' },
  };
}

/** Returns the parameters of the API. */
function filterParameters({ country, language }: GoogleFilters): Record<string, string> {
  const named = language && (ENGINE_NAMES[language] ?? language.slice(0, 2));
  return {
    ...(country && { gl: country, cr: `country${country.toUpperCase()}` }),
    ...(language && { hl: language }),
    ...(named && RESTRICTABLE.has(named) && { lr: `lang_${named}` }),
  };
}
