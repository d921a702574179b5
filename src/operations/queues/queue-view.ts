import { z } from 'zod';

export const QueueView = z.strictObject({
  name: z.string(),
  paused: z.boolean(),
  /** Jobs in the queue that run as soon as a worker is free. */
  waiting: z.int(),
  /**
   * Rows that could run now and wait for capacity in the queue. Rows that wait for a limit or a time are not counted.
   */
  waitingRows: z.int(),
  active: z.int(),
  /** Jobs that run later. */
  delayed: z.int(),
  /** Age of the job that has waited longest. Null if none waits. */
  oldestWaitingSeconds: z.int().nullable(),
  donePerMinute: z.number(),
  /** Runs that failed for good. */
  failedPerMinute: z.number(),
  /** Runs that failed and will be retried. */
  retriedPerMinute: z.number(),
  /** Mean duration of runs that ended in the last five minutes. Null if none did. */
  meanMs: z.int().nullable(),
});
export type QueueView = z.infer<typeof QueueView>;

/** Counts everything that waits for a worker, in the queue and in rows. */
export const backlogOf = ({ waiting, waitingRows }: Pick<QueueView, 'waiting' | 'waitingRows'>) =>
  waiting + waitingRows;
