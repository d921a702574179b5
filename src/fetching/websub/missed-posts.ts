import type { Subscription } from './subscriptions.table.js';

/** A post without a time of its own bears that of its discovery, but for its place on the page. */
const OWN_TIME_MS = 1_000;

type Lease = Pick<Subscription, 'verifiedAt'>;
type Pings = Pick<Subscription, 'pingedAt' | 'pingTakenAt'>;

interface Found {
  /** When posts were published that a poll was first to find. */
  published: Date[];
  foundAt: Date;
  /** The poll before, if it went well. */
  lastSuccessAt: Date | null;
  /** So long the hub may take. */
  lateMs: number;
}

/** Many hubs wait for their own poll of the source. Whoever polls more often for safety expects more. */
const MAX_LATE_MS = 2 * 60_000;

export const lateAfter = (safetyMs: number) => Math.min(MAX_LATE_MS, safetyMs / 2);

/** Whether a hub has said, since the poll before, that there is news: then it was first with whatever is found. */
export function hasTold({ pingedAt, pingTakenAt }: Pings, lastSuccessAt: Date | null): boolean {
  return pingedAt !== null || (pingTakenAt !== null && (!lastSuccessAt || pingTakenAt > lastSuccessAt));
}

/** Whether a hub should have pushed some of what a poll has found. */
export function hasMissed({ verifiedAt: since }: Lease, { published, foundAt, lastSuccessAt, lateMs }: Found): boolean {
  if (!since) return false;
  const late = foundAt.getTime() - lateMs;
  // What has no time came at some time since the last poll.
  const undatedCount = lastSuccessAt !== null && lastSuccessAt >= since && lastSuccessAt.getTime() <= late;
  return published.some((at) => {
    const age = foundAt.getTime() - at.getTime();
    const isUndated = age >= 0 && age < OWN_TIME_MS;
    return isUndated ? undatedCount : at >= since && at.getTime() <= late;
  });
}
