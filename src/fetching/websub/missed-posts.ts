import type { Subscription } from './subscriptions.table.js';

/** Posts without a date are dated within this time of their discovery. */
const OWN_TIME_MS = 1_000;

type Lease = Pick<Subscription, 'verifiedAt'>;
type Pings = Pick<Subscription, 'pingedAt' | 'pingTakenAt'>;

interface PolledPosts {
  /** Publication times of posts that a poll found before the hub pushed them. */
  published: Date[];
  foundAt: Date;
  /** Time of the previous poll, if it succeeded. */
  lastSuccessAt: Date | null;
  /** Time that the hub may take to push a post. */
  lateMs: number;
}

/** Many hubs poll the source themselves before they push. Shorter safety intervals reduce the limit. */
const MAX_LATE_MS = 2 * 60_000;

export const lateAfter = (safetyMs: number) => Math.min(MAX_LATE_MS, safetyMs / 2);

/** Returns whether the hub announced new posts since the previous poll. It was then first with whatever is found. */
export function hasAnnounced({ pingedAt, pingTakenAt }: Pings, lastSuccessAt: Date | null): boolean {
  return pingedAt !== null || (pingTakenAt !== null && (!lastSuccessAt || pingTakenAt > lastSuccessAt));
}

/** Returns whether the hub should have pushed some of the posts that a poll has found. */
export function hasMissed(
  { verifiedAt: since }: Lease,
  { published, foundAt, lastSuccessAt, lateMs }: PolledPosts,
): boolean {
  if (!since) return false;
  const late = foundAt.getTime() - lateMs;
  // Posts without a date were published at some time since the last poll.
  const undatedCount = lastSuccessAt !== null && lastSuccessAt >= since && lastSuccessAt.getTime() <= late;
  return published.some((at) => {
    const age = foundAt.getTime() - at.getTime();
    const isUndated = age >= 0 && age < OWN_TIME_MS;
    return isUndated ? undatedCount : at >= since && at.getTime() <= late;
  });
}
