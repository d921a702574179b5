import { expect, it } from 'vitest';
import { countsText, jobTitle, progressOf, type ScrapeJob } from './scrape-job';

const part = (given: Partial<ScrapeJob['by_source'][number]> = {}): ScrapeJob['by_source'][number] => ({
  source_type: 'web',
  status: 'running',
  found: 0,
  processed: 0,
  duplicates: 0,
  error: null,
  ignored_filters: [],
  started_at: null,
  completed_at: null,
  ...given,
});
const ended = { completed_at: '2026-01-01T00:00:00.000Z' };

const job = (given: Partial<ScrapeJob>): ScrapeJob => ({
  id: 'a',
  status: 'running',
  total_found: 0,
  total_processed: 0,
  duplicates: 0,
  error: null,
  created_at: '',
  started_at: null,
  completed_at: null,
  rerun_of: null,
  by_source: [],
  source_types: ['web'],
  industry: null,
  geography: null,
  keywords: [],
  search_query: null,
  filters: {},
  ...given,
});

it('names a job by what it looks for', () => {
  expect(jobTitle(job({ industry: 'bakery', geography: 'Berlin', keywords: ['bread', 'rye'] }))).toBe(
    'bakery · bread, rye in Berlin',
  );
  expect(jobTitle(job({ search_query: 'mills' }))).toBe('“mills”');
  expect(jobTitle(job({ filters: { sites: ['a.example', 'b.example'] } }))).toBe('2 sites');
});

it('tells what is new and what was known', () => {
  expect(countsText({ found: 12, processed: 10, duplicates: 3 })).toBe('12 found, 10 kept: 7 new, 3 duplicates');
  expect(countsText({ found: 2, processed: 2, duplicates: 0 })).toBe('2 found, 2 kept: 2 new');
  expect(countsText({ found: 0, processed: 0, duplicates: 0 })).toBe('No results yet');
});

it('counts source types that have ended, and does not know how far a single one is', () => {
  expect(progressOf({ by_source: [part()] })).toEqual({ done: 0, failed: 0, total: 0 });
  expect(progressOf({ by_source: [part({ ...ended, status: 'failed' }), part()] })).toEqual({
    done: 1,
    failed: 1,
    total: 2,
  });
  expect(progressOf({ by_source: [part({ ...ended, status: 'completed' })] })).toEqual({
    done: 1,
    failed: 0,
    total: 1,
  });
});
