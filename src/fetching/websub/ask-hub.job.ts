import { z } from 'zod';
import { Id } from '../../platform/database/columns.js';
import { describeJob } from '../../platform/jobs/job-catalogue.js';
import { JobRows } from '../../platform/jobs/job-rows.js';
import { subscriptions } from './subscriptions.table.js';

export const AskHubJob = z.object({ subscriptionId: Id });
export type AskHubJob = z.infer<typeof AskHubJob>;

/** One request to a hub. The row decides when it is repeated; job attempts are for internal errors only. */
export const askHubJob = describeJob({
  name: 'websub',
  data: AskHubJob,
  attempts: ({ websubAttempts }) => websubAttempts,
  backoff: { type: 'exponential', delay: 5_000 },
  concurrency: 4,
  rows: new JobRows(subscriptions, 'subscriptionId'),
});
