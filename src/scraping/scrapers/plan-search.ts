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
  country: Country.nullish(),
  language: Language.nullish(),
  site: listed(Site),
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

interface SearchRefusal {
  path: string;
  message: string;
}

export const NOTHING_TO_SEARCH_FOR: SearchRefusal = {
  path: 'search_query',
  message: 'nothing to search for: give search_query, industry, geography or keywords',
};

export function planSearch(criteria: Criteria, site?: string[]): { search: Search } | { refusal: SearchRefusal } {
  const { filters, refusal } = readFilters(criteria.filters);
  if (refusal) return { refusal };
  const query = googleQuery(criteria, { site: site ?? filters.site, exclude: filters.exclude });
  return query ? { search: { query, parameters: filterParameters(filters) } } : { refusal: NOTHING_TO_SEARCH_FOR };
}

export function refusalOf(plan: ReturnType<typeof planSearch>): SearchRefusal | undefined {
  return 'refusal' in plan ? plan.refusal : undefined;
}

type GoogleFilters = z.infer<typeof GoogleFilters>;

type FilterResult =
  | { filters: GoogleFilters; refusal?: undefined }
  | { filters?: undefined; refusal: { path: string; message: string } };

function readFilters(given: Criteria['filters']): FilterResult {
  const read = GoogleFilters.safeParse(given);
  if (read.success) return { filters: read.data };
  const [issue] = read.error.issues;
  return {
    refusal: { path: ['filters', ...(issue?.path ?? [])].join('.'), message: issue?.message ?? 'not understood' },
  };
}

function filterParameters({ country, language }: GoogleFilters): Record<string, string> {
  const named = language && (ENGINE_NAMES[language] ?? language.slice(0, 2));
  return {
    ...(country && { gl: country, cr: `country${country.toUpperCase()}` }),
    ...(language && { hl: language }),
    ...(named && RESTRICTABLE.has(named) && { lr: `lang_${named}` }),
  };
}
