import { z } from 'zod';
import type { ScrapeJob } from './scrape-jobs.store.js';
import { ScrapeJobStatus } from './scrape-jobs.table.js';
import { PART_STATUSES, type ScrapePart } from './scrape-parts.table.js';

const time = z.iso.datetime().nullable();

const PartView = z.strictObject({
  source_type: z.string(),
  status: z.enum(PART_STATUSES),
  /** Leads that the source returned, those that match the keywords, and those of them that were already stored. */
  found: z.int(),
  processed: z.int(),
  duplicates: z.int(),
  /** The reason of a failure. For a completed part, what could not be searched, such as some of many sites. */
  error: z.string().nullable(),
  /** Filters of the job that this source cannot apply. */
  ignored_filters: z.array(z.string()),
  started_at: time,
  completed_at: time,
});

export const ScrapeJobView = z.strictObject({
  id: z.string(),
  status: ScrapeJobStatus,
  total_found: z.int(),
  total_processed: z.int(),
  duplicates: z.int(),
  error: z.string().nullable(),
  created_at: z.iso.datetime(),
  started_at: time,
  completed_at: time,
  rerun_of: z.string().nullable(),
  by_source: z.array(PartView),
  industry: z.string().nullable(),
  geography: z.string().nullable(),
  keywords: z.array(z.string()),
  source_types: z.array(z.string()),
  search_query: z.string().nullable(),
  filters: z.record(z.string(), z.unknown()),
});
export type ScrapeJobView = z.infer<typeof ScrapeJobView>;

type IgnoredFilters = (type: string, filters: ScrapeJob['filters']) => string[];

export function toScrapeJobView(job: ScrapeJob, ignoredFilters: IgnoredFilters): ScrapeJobView {
  const { parts } = job;
  return {
    id: job.jobId,
    status: job.status,
    total_found: sum(parts.map(({ found }) => found)),
    total_processed: sum(parts.map(({ processed }) => processed)),
    duplicates: sum(parts.map(({ duplicates }) => duplicates)),
    error: job.error,
    created_at: job.createdAt.toISOString(),
    started_at: job.startedAt?.toISOString() ?? null,
    completed_at: job.completedAt?.toISOString() ?? null,
    rerun_of: job.rerunOf,
    by_source: parts.map((part) => toPartView(part, ignoredFilters(part.sourceType, job.filters))),
    industry: job.industry,
    geography: job.geography,
    keywords: job.keywords,
    source_types: job.sourceTypes,
    search_query: job.searchQuery,
    filters: job.filters,
  };
}

function toPartView(part: ScrapePart, ignored_filters: string[]): z.infer<typeof PartView> {
  return {
    source_type: part.sourceType,
    status: part.status,
    found: part.found,
    processed: part.processed,
    duplicates: part.duplicates,
    error: part.error,
    ignored_filters,
    started_at: part.startedAt?.toISOString() ?? null,
    completed_at: part.completedAt?.toISOString() ?? null,
  };
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
