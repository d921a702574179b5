import type { FetchedSource } from '../run/fetch-jobs.js';

/** Posts appear some time after their publication date, and clocks differ (ms). */
const SLACK_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** All posts are needed while some are missing, and once a day to find old dates and changes of known posts. */
export function wantedSince(
  { lastPostAt, lastSuccessAt, gaps }: Pick<FetchedSource, 'lastPostAt' | 'lastSuccessAt' | 'gaps'>,
  now: Date,
): Date | undefined {
  if (!lastPostAt || !lastSuccessAt || gaps.length || dayOf(lastSuccessAt) !== dayOf(now)) return undefined;
  return new Date(lastPostAt.getTime() - SLACK_MS);
}

const dayOf = (time: Date) => Math.floor(time.getTime() / DAY_MS);
