import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { Id } from '../../platform/database/columns.js';
import { describeJob, type RowJob } from '../../platform/jobs/job-catalogue.js';
import type { JobRun } from '../../platform/jobs/job-handler.js';
import { JobRows } from '../../platform/jobs/job-rows.js';
import type { Feature } from '../../platform/jobs/work-result.js';
import { type Account, accounts } from '../accounts/accounts.table.js';
import { platforms } from '../platforms.js';
import { type Publication, publications } from '../publications/publications.table.js';

export const PublishJob = z.object({ publicationId: Id });
export type PublishJob = z.infer<typeof PublishJob>;

const publishing = {
  name: 'publishing',
  target: 'platform',
  results: {
    published: 'success',
    try_failed: 'failure',
    /** A later run reconciles the call. */
    unconfirmed: 'failure',
    failed: 'failure',
    expired: 'failure',
    unknown: 'failure',
    changed: 'neutral',
  },
} as const satisfies Feature;
export type PublishResult = keyof typeof publishing.results | 'postponed';

export const reportPost = (run: JobRun, result: PublishResult, reason?: string) =>
  run.report(reason === undefined ? { result } : { result, reason });

/** A run has its publication and the account from the claim, which saves a round trip. */
export const publicationRows = new JobRows(publications, 'publicationId').reading({
  tables: { publication: publications, account: accounts },
  on: sql`${accounts.id} = ${publications.accountId}`,
});

export type PublicationWithAccount = Publication & { account: Account };

export function claimedPublication({ read }: JobRun): PublicationWithAccount {
  const { publication, account } = read as { publication: Publication; account: Account };
  return { ...publication, account };
}

/** Each platform has its own queue, so that a slow one does not delay others. Queue attempts are for bugs of ours. */
export const publishJobs: ReadonlyMap<string, RowJob<PublishJob>> = new Map(
  platforms.map(({ name, workers }) => [
    name,
    describeJob({
      name: `publish-${name}`,
      data: PublishJob,
      attempts: ({ publishAttempts }) => publishAttempts,
      backoff: { type: 'exponential', delay: ({ publishBackoffMs }) => publishBackoffMs },
      concurrency: workers,
      isFair: true,
      rows: publicationRows.only(eq(publications.platform, name)),
      feature: publishing,
    }),
  ]),
);
