import type { Source } from './source';

type Freshness = 'fresh' | 'due' | 'late' | 'new' | 'still';

type Times = Pick<Source, 'state' | 'intervalSeconds' | 'lastSuccessAt' | 'nextFetchAt'>;

/** Some time passes between being due and being fetched. */
const SLACK = 0.5;
const SLACK_MS = 60_000;

/**
 * How much of the time between two fetches has gone by (0 to 1), and what that means: `new` was never fetched, `still` is
 * not fetched at all.
 */
export function freshness(source: Times, now: number): { level: Freshness; share: number } {
  const { state, intervalSeconds, lastSuccessAt } = source;
  if (state === 'gone' || state === 'paused') return { level: 'still', share: 1 };
  if (lastSuccessAt === null) return { level: 'new', share: 0 };
  const from = Date.parse(lastSuccessAt);
  const until = dueAt(source, from);
  const share = Math.min(1, Math.max(0, (now - from) / Math.max(1, until - from)));
  const slack = Math.max(SLACK_MS, SLACK * 1_000 * (intervalSeconds ?? 0));
  if (state === 'failing' || now > until + slack) return { level: 'late', share: 1 };
  return { level: now > until ? 'due' : 'fresh', share };
}

/** What was to be fetched before and failed is late since then, whenever it is tried again. */
function dueAt({ intervalSeconds, nextFetchAt }: Times, from: number): number {
  const byInterval = from + 1_000 * (intervalSeconds ?? 0);
  const told = nextFetchAt === null ? byInterval : Date.parse(nextFetchAt);
  return intervalSeconds === null ? told : Math.max(byInterval, Math.min(told, byInterval + 500 * intervalSeconds));
}

export const FRESHNESS_WORDS: Record<Freshness, string> = {
  fresh: 'fresh',
  due: 'due now',
  late: 'late',
  new: 'not fetched yet',
  still: 'not fetched',
};
