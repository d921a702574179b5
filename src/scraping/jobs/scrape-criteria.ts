import { isDeepStrictEqual } from 'node:util';
import type { ScrapeCriteria } from '../../contracts/scrape-job-message.js';
import { isStorable } from '../../platform/jobs/storable.js';
import type { Criteria } from '../scraper.js';
import type { ScrapeJobRow } from './scrape-jobs.table.js';

export function toCriteria({ industry, geography, keywords, search_query, filters }: ScrapeCriteria): Criteria {
  return { industry, geography, keywords, searchQuery: search_query, filters };
}

export function criteriaOf({ keywords, filters, ...job }: ScrapeJobRow): ScrapeCriteria {
  return {
    industry: job.industry ?? undefined,
    geography: job.geography ?? undefined,
    keywords,
    filters,
    source_types: job.sourceTypes,
    search_query: job.searchQuery ?? undefined,
  };
}

export function sameCriteria(job: ScrapeJobRow, asked: ScrapeCriteria): boolean {
  return isDeepStrictEqual(listed(criteriaOf(job)), listed(asked));
}

const listed = ({ industry, geography, keywords, source_types, search_query, filters }: ScrapeCriteria) => [
  industry,
  geography,
  keywords,
  [...new Set(source_types)],
  search_query,
  filters,
];

export const UNSTORABLE = 'holds NUL characters or halves of surrogate pairs, or is nested too deeply';

export function unstorableFields(fields: object): string[] {
  return Object.entries(fields).flatMap(([name, value]) => (isStorable(value) ? [] : [name]));
}
