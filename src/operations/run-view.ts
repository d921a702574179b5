import { z } from 'zod';
import { Id } from '../platform/database/columns.js';
import { OUTCOME_NAMES } from '../platform/queue/runs/ended-run.js';
import type { jobRuns } from '../platform/queue/runs/job-runs.table.js';

export const RunOutcome = z.enum(OUTCOME_NAMES);
export type RunOutcome = z.infer<typeof RunOutcome>;

/** What clients see of a run that has ended. */
export const RunView = z.strictObject({
  id: Id,
  queue: z.string(),
  jobId: z.string(),
  /** What the job was about: the id of its row, or the key it was enqueued under. */
  subject: z.string(),
  attempt: z.int(),
  /** `failed` is for good, `retried` will be tried again. */
  outcome: RunOutcome,
  /** Why it failed or was put off. */
  reason: z.string().nullable(),
  startedAt: z.iso.datetime(),
  ms: z.int(),
  /** Since it was to run; null of one that was put off or tried again. */
  waitedMs: z.int().nullable(),
  /** Host and process id. */
  worker: z.string(),
  /** Of a run that failed for good: the newest dead letter of what it was about. */
  deadLetterId: Id.nullable(),
});
export type RunView = z.infer<typeof RunView>;

export type RunRow = typeof jobRuns.$inferSelect & { deadLetterId: string | null };

export const toRunView = (row: RunRow): RunView => ({ ...row, startedAt: row.startedAt.toISOString() });
