import { z } from 'zod';
import { Id } from '../platform/database/columns.js';
import { defineJob } from '../platform/queue/job-catalogue.js';
import { JobRows } from '../platform/queue/job-rows.js';
import { scrapeParts } from './scrape-parts.table.js';

export const ScrapePartJob = z.object({ partId: Id });
export type ScrapePartJob = z.infer<typeof ScrapePartJob>;

/** One source type of a scrape job. */
export const scrapePartJob = defineJob({
  name: 'scrape',
  data: ScrapePartJob,
  attempts: 3,
  backoff: { type: 'exponential', delay: 5_000 },
  concurrency: ({ scrapeConcurrency }) => scrapeConcurrency,
  rows: new JobRows(scrapeParts, 'partId'),
});
