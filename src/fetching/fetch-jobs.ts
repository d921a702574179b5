import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { Id } from '../platform/database/columns.js';
import { defineJob, type RowJob } from '../platform/queue/job-catalogue.js';
import { JobRows } from '../platform/queue/job-rows.js';
import { fetchStates } from '../sources/fetch-states.table.js';
import { FETCHERS } from './fetchers.js';

export const FetchJob = z.object({ sourceId: Id });
export type FetchJob = z.infer<typeof FetchJob>;

/** A queue for each type, so that a slow type never holds up a fast one. */
export const fetchJobs: ReadonlyMap<string, RowJob<FetchJob>> = new Map(
  FETCHERS.map(({ type }) => [
    type,
    defineJob({
      name: `fetch-${type}`,
      data: FetchJob,
      attempts: 3,
      // Every attempt asks the source again.
      backoff: { type: 'fixed', delay: 60_000 },
      concurrency: ({ fetchConcurrency }) => fetchConcurrency,
      rows: new JobRows(fetchStates, 'sourceId', eq(fetchStates.type, type)),
    }),
  ]),
);
