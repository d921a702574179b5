import { z } from 'zod';
import { Id } from '../../platform/database/columns.js';
import { OUTCOME_NAMES } from '../../platform/queue/runs/ended-run.js';
import type { RunRow } from '../../platform/queue/runs/runs.store.js';

export const RunOutcome = z.enum(OUTCOME_NAMES);

/** What clients see of a run that has ended. */
export const RunView = z.strictObject({
  id: Id,
  queue: z.string(),
  feature: z.string(),
  jobId: z.string(),
  /** What the job was about: the id of its row, or the key it was enqueued under. */
  subject: z.string(),
  attempt: z.int(),
  /** `failed` is for good, `retried` will be tried again. */
  outcome: RunOutcome,
  /** What came of the work, as its feature names it; null if nothing was done or tried. */
  result: z.string().nullable(),
  /** Who had it run, such as `schedule` or `reader`, where that is recorded. */
  cause: z.string().nullable(),
  /** Whom the work depended on, such as the host that was asked. */
  target: z.string().nullable(),
  /** What it brought. */
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).nullable()).nullable(),
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

export function toRunView({ workFailed: _, ...row }: RunRow): RunView {
  return { ...row, startedAt: row.startedAt.toISOString() };
}
