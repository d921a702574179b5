import { eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Config } from '../platform/config.js';
import { Id } from '../platform/database/columns.js';
import { describeJob, type RowJob } from '../platform/queue/job-catalogue.js';
import { JobRows } from '../platform/queue/job-rows.js';
import { fetchStates } from '../sources/fetch-states.table.js';
import { fetchersFor } from './fetchers.js';

export const FetchJob = z.object({ sourceId: Id });
export type FetchJob = z.infer<typeof FetchJob>;

/** A queue for each type, so that a slow type never holds up a fast one. */
export function fetchJobs(config: Pick<Config, 'remoteTypes'>): ReadonlyMap<string, RowJob<FetchJob>> {
  return new Map(
    fetchersFor(config).map(({ type, remote }) => [
      type,
      describeJob({
        name: `fetch-${type}`,
        data: FetchJob,
        attempts: 3,
        backoff: { type: 'exponential', delay: 5_000 },
        concurrency: ({ fetchConcurrency, remoteConcurrency }) => (remote ? remoteConcurrency : fetchConcurrency),
        rows: new JobRows(fetchStates, 'sourceId', eq(fetchStates.type, type)),
      }),
    ]),
  );
}
