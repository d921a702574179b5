import { eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Config } from '../../platform/config.js';
import { Id } from '../../platform/database/columns.js';
import { describeJob, type RowJob } from '../../platform/jobs/job-catalogue.js';
import type { JobRun } from '../../platform/jobs/job-handler.js';
import { JobRows } from '../../platform/jobs/job-rows.js';
import type { Feature } from '../../platform/jobs/work-result.js';
import { type FetchState, fetchStates } from '../../sources/fetch-states.table.js';
import { type SourceRow, sources } from '../../sources/sources.table.js';
import { fetchersFor } from '../fetchers.js';

export const FetchJob = z.object({ sourceId: Id });
export type FetchJob = z.infer<typeof FetchJob>;

/** The trigger of a fetch. `reader`: a user who reads the source or came back; `replay`: an administrator. */
export const FETCH_CAUSES = ['schedule', 'reader', 'refresh', 'follow', 'push', 'import', 'replay'] as const;
export type FetchCause = (typeof FETCH_CAUSES)[number];

export const fetching = {
  name: 'fetching',
  target: 'host',
  sharedCause: "Check this machine's network and DNS first: sources of different hosts seldom fail together.",
  results: {
    fetched: 'success',
    unchanged: 'success',
    source_error: 'failure',
    rate_limited: 'neutral',
    gone: 'neutral',
    no_worker: 'neutral',
    skipped: 'neutral',
  },
  shown: ({ status: httpStatus, found: postsCount, new: newPostsCount, updated: updatedPostsCount, ...others }) => ({
    postsCount,
    newPostsCount,
    updatedPostsCount,
    httpStatus,
    ...others,
  }),
} as const satisfies Feature;
export type FetchOutcome = keyof typeof fetching.results;

/** A run has its source from the claim, which saves a round trip. */
export const fetchRows = new JobRows(fetchStates, 'sourceId').reading({
  tables: { state: fetchStates, source: sources },
  on: eq(sources.id, fetchStates.id),
});

export type FetchedSource = FetchState &
  Pick<SourceRow, 'externalId' | 'title' | 'siteUrl' | 'lastPostId' | 'lastPostAt' | 'createdAt'>;

export function claimedSource({ read }: JobRun<FetchOutcome>): FetchedSource {
  const { state, source } = read as { state: FetchState; source: SourceRow };
  const { externalId, title, siteUrl, lastPostId, lastPostAt, createdAt } = source;
  return { ...state, externalId, title, siteUrl, lastPostId, lastPostAt, createdAt };
}

/** Each type has its own queue, so that a slow type does not block a fast one. */
export function fetchJobs(config: Pick<Config, 'remoteTypes'>): ReadonlyMap<string, RowJob<FetchJob>> {
  return new Map(
    fetchersFor(config).map(({ type, remote }) => [
      type,
      describeJob({
        name: `fetch-${type}`,
        data: FetchJob,
        attempts: ({ fetchAttempts }) => fetchAttempts,
        backoff: { type: 'exponential', delay: ({ fetchBackoffMs }) => fetchBackoffMs },
        concurrency: ({ fetchConcurrency, remoteConcurrency }) => (remote ? remoteConcurrency : fetchConcurrency),
        isFair: true,
        rows: fetchRows.only(eq(fetchStates.type, type)),
        feature: fetching,
      }),
    ]),
  );
}
