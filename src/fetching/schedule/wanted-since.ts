import type { FetchedSource } from '../run/fetch-states.store.js';

/** Posts show up a while after the time that they bear, and clocks differ. */
const SLACK_MS = 3_600_000;
const DAY_MS = 86_400_000;

/**
 * The time before which posts need not be shown again; undefined: all are wanted. While some are missing they may have to
 * be walked to anew from the top. Once a day all are wanted, too: posts that bear an old date are found then, and what has
 * changed about those that are known.
 */
export function wantedSince(
  { lastPostAt, lastSuccessAt, gaps }: Pick<FetchedSource, 'lastPostAt' | 'lastSuccessAt' | 'gaps'>,
  now: Date,
): Date | undefined {
  if (!lastPostAt || !lastSuccessAt || gaps.length || dayOf(lastSuccessAt) !== dayOf(now)) return undefined;
  return new Date(lastPostAt.getTime() - SLACK_MS);
}

const dayOf = (time: Date) => Math.floor(time.getTime() / DAY_MS);
