import { z } from 'zod';
import { Id } from '../../platform/database/columns.js';
import { defineJob } from '../../platform/jobs/job-catalogue.js';
import { JobRows } from '../../platform/jobs/job-rows.js';
import type { Feature } from '../../platform/jobs/work-result.js';
import { scrapeParts } from './scrape-parts.table.js';

export const ScrapePartJob = z.object({ partId: Id });
export type ScrapePartJob = z.infer<typeof ScrapePartJob>;

const scraping = {
  name: 'scraping',
  target: 'source type',
  results: {
    found: 'success',
    nothing_found: 'success',
    partial: 'success',
    failed: 'failure',
    cancelled: 'neutral',
  },
} as const satisfies Feature;
export type PartResult = keyof typeof scraping.results;

export const scrapePartJob = defineJob({
  name: 'scrape',
  data: ScrapePartJob,
  attempts: ({ scrapeAttempts }) => scrapeAttempts,
  backoff: { type: 'exponential', delay: ({ scrapeBackoffMs }) => scrapeBackoffMs },
  concurrency: ({ scrapeConcurrency }) => scrapeConcurrency,
  isFair: true,
  rows: new JobRows(scrapeParts, 'partId'),
  feature: scraping,
});
