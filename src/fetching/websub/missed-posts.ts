import type { PostTime } from '../../posts/post.js';
import type { Subscription } from './subscriptions.table.js';

type Lease = Pick<Subscription, 'verifiedAt'>;
type Pings = Pick<Subscription, 'pingedAt' | 'pingTakenAt'>;

interface PolledPosts {
  published: PostTime[];
  foundAt: Date;
  lastSuccessAt: Date | null;
  lateMs: number;
}

/** Many hubs poll the source themselves before they push. Shorter safety intervals reduce the limit. */
const MAX_LATE_MS = 2 * 60_000;

export const lateAfter = (safetyMs: number) => Math.min(MAX_LATE_MS, safetyMs / 2);

/** If so, the hub was first with whatever the poll finds. */
export function hasAnnounced({ pingedAt, pingTakenAt }: Pings, lastSuccessAt: Date | null): boolean {
  return pingedAt !== null || (pingTakenAt !== null && (!lastSuccessAt || pingTakenAt > lastSuccessAt));
}

export function hasMissed(
  { verifiedAt: since }: Lease,
  { published, foundAt, lastSuccessAt, lateMs }: PolledPosts,
): boolean {
  if (!since) return false;
  const late = foundAt.getTime() - lateMs;
  // Posts without a date were published at some time since the last poll.
  const undatedCount = lastSuccessAt !== null && lastSuccessAt >= since && lastSuccessAt.getTime() <= late;
  return published.some(({ publishedAt, dated }) =>
    dated ? publishedAt >= since && publishedAt.getTime() <= late : undatedCount,
  );
}
