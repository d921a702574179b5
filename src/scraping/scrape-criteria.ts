import { isDeepStrictEqual } from 'node:util';
import type { ScrapeCriteria } from '../contracts/scrape-job-message.js';
import { isStorable } from '../platform/queue/storable.js';
import type { ScrapeJobRow } from './scrape-jobs.store.js';
import type { Criteria } from './scraper.js';

/** As scrapers take them. */
export function toCriteria({ industry, geography, keywords, search_query, filters }: ScrapeCriteria): Criteria {
  return { industry, geography, keywords, searchQuery: search_query, filters };
}

/** Whether a job asks for just that. */
export function sameCriteria(job: ScrapeJobRow, asked: ScrapeCriteria): boolean {
  const stored = [job.industry, job.geography, job.keywords, job.sourceTypes, job.searchQuery, job.filters];
  const { industry = null, geography = null, keywords, source_types, search_query = null, filters } = asked;
  return isDeepStrictEqual(stored, [industry, geography, keywords, [...new Set(source_types)], search_query, filters]);
}

export const UNSTORABLE = 'holds NUL characters or halves of surrogate pairs, or is nested too deeply';

export function unstorableFields(fields: object): string[] {
  return Object.entries(fields).flatMap(([name, value]) => (isStorable(value) ? [] : [name]));
}
