import type { Criteria } from '../scraper.js';
import { filterParameters, readFilters } from './google-filters.js';
import { googleQuery } from './google-query.js';
import type { Search } from './google-search.js';

/** The field, and what is wrong with it. */
export interface Trouble {
  path: string;
  message: string;
}

export const NOTHING_TO_SEARCH_FOR: Trouble = {
  path: 'search_query',
  message: 'nothing to search for: give search_query, industry, geography or keywords',
};

/** How the search engine is asked for what somebody looks for; on the sites of the filters unless there are given ones. */
export function planSearch(criteria: Criteria, site?: string[]): { search: Search } | { trouble: Trouble } {
  const { filters, trouble } = readFilters(criteria.filters);
  if (trouble) return { trouble };
  const query = googleQuery(criteria, { site: site ?? filters.site, exclude: filters.exclude });
  return query ? { search: { query, parameters: filterParameters(filters) } } : { trouble: NOTHING_TO_SEARCH_FOR };
}

export function troubleOf(plan: ReturnType<typeof planSearch>): Trouble | undefined {
  return 'trouble' in plan ? plan.trouble : undefined;
}
