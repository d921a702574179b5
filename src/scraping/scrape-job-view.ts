import { z } from 'zod';
import { ScrapeJobStatus } from './scrape-job-status.js';
import type { ScrapeJobRow } from './scrape-jobs.store.js';

const time = z.iso.datetime().nullable();

/** A scrape job as its user sees it. Its names are those of the message that asks for one. */
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
  /** How each source type fared. */
  by_source: z.array(z.unknown()),
  industry: z.string().nullable(),
  geography: z.string().nullable(),
  keywords: z.array(z.string()),
  source_types: z.array(z.string()),
  search_query: z.string().nullable(),
  filters: z.record(z.string(), z.unknown()),
});
export type ScrapeJobView = z.infer<typeof ScrapeJobView>;

export function toScrapeJobView(job: ScrapeJobRow): ScrapeJobView {
  return {
    id: job.jobId,
    status: job.status,
    total_found: job.totalFound,
    total_processed: job.totalProcessed,
    duplicates: job.duplicates,
    error: job.error,
    created_at: job.createdAt.toISOString(),
    started_at: job.startedAt?.toISOString() ?? null,
    completed_at: job.completedAt?.toISOString() ?? null,
    by_source: [],
    industry: job.industry,
    geography: job.geography,
    keywords: job.keywords,
    source_types: job.sourceTypes,
    search_query: job.searchQuery,
    filters: job.filters,
  };
}
