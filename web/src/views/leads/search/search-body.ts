import type { paths } from '../../../api/schema';

export type SearchBody = paths['/api/v1/jobs/scrape']['post']['requestBody']['content']['application/json'];

/** The values of the form, as typed. */
export interface Search {
  industry: string;
  geography: string;
  /** Separated by commas or line breaks. */
  keywords: string;
  query: string;
  types: string[];
  /** Source types of external workers, separated by commas. */
  others: string;
  /** Separated by blanks or line breaks. */
  sites: string;
  maxPages: string;
  country: string;
  language: string;
  exclude: string;
}

export const EMPTY_SEARCH: Search = {
  industry: '',
  geography: '',
  keywords: '',
  query: '',
  types: ['web'],
  others: '',
  sites: '',
  maxPages: '',
  country: '',
  language: '',
  exclude: '',
};

const listed = (text: string, between: RegExp) =>
  text
    .split(between)
    .map((one) => one.trim())
    .filter(Boolean);

const WORDS = /[,\n]/;

const typesOf = ({ types, others }: Search) => [...new Set([...types, ...listed(others, WORDS)])];
export const asksSearchEngine = ({ types }: Search) => types.includes('google') || types.includes('linkedin');

export function searchBody(search: Search): SearchBody {
  const { industry, geography, query, keywords } = search;
  return {
    ...(industry.trim() && { industry: industry.trim() }),
    ...(geography.trim() && { geography: geography.trim() }),
    ...(query.trim() && { search_query: query.trim() }),
    keywords: listed(keywords, WORDS),
    source_types: typesOf(search),
    filters: filtersOf(search),
  };
}

/** Fields of unselected source types may still hold a value, which is not sent. */
function filtersOf(search: Search): Record<string, unknown> {
  const { types, sites, maxPages, country, language, exclude } = search;
  const web = types.includes('web') && {
    sites: listed(sites, /[\s,]+/),
    ...(maxPages.trim() && { maxPages: Number(maxPages) }),
  };
  const engine = asksSearchEngine(search) && {
    ...(country.trim() && { country: country.trim().toLowerCase() }),
    ...(language.trim() && { language: language.trim() }),
    ...(exclude.trim() && { exclude: listed(exclude, WORDS) }),
  };
  return { ...web, ...engine };
}
