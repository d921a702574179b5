import { z } from 'zod';

export const QueueView = z.strictObject({
  name: z.string(),
  paused: z.boolean(),
  /** To be run as soon as a worker is free. */
  waiting: z.int(),
  active: z.int(),
  /** To be run later. */
  delayed: z.int(),
  /** How long the job has waited that has waited longest; null if none does. */
  oldestWaitingSeconds: z.int().nullable(),
  donePerMinute: z.number(),
  /** Failed for good. */
  failedPerMinute: z.number(),
  /** Failed, and will be tried again. */
  retriedPerMinute: z.number(),
  /** How long a run took on average, of those that ended in the last five minutes; null if none did. */
  meanMs: z.int().nullable(),
});
export type QueueView = z.infer<typeof QueueView>;
