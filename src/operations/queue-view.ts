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
});
export type QueueView = z.infer<typeof QueueView>;
