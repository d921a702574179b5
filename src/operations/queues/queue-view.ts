import { z } from 'zod';

export const QueueView = z.strictObject({
  name: z.string(),
  paused: z.boolean(),
  /** In the queue, to be run as soon as a worker is free. */
  waiting: z.int(),
  /** Could run now, and wait as rows until there is room in the queue. What waits for a limit or a time is not counted. */
  waitingRows: z.int(),
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

/** All that waits for a worker, in the queue and in rows. */
export const backlogOf = ({ waiting, waitingRows }: Pick<QueueView, 'waiting' | 'waitingRows'>) =>
  waiting + waitingRows;
