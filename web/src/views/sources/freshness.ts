import type { Source } from './source';

type Freshness = 'fresh' | 'due' | 'late' | 'new' | 'inactive';

type Times = Pick<Source, 'state' | 'intervalSeconds' | 'lastSuccessAt' | 'nextFetchAt'>;

/** A source counts as late only after this share of its interval, at least `SLACK_MS`. */
const SLACK = 0.5;
const SLACK_MS = 60_000;

/**
 * `share` is the elapsed part of the interval, from 0 to 1. A `new` source was never fetched; an `inactive` one is paused or
 * gone.
 */
export function freshness(source: Times, now: number): { level: Freshness; share: number } {
  const { state, intervalSeconds, lastSuccessAt } = source;
  if (state === 'gone' || state === 'paused') return { level: 'inactive', share: 1 };
  if (lastSuccessAt === null) return { level: 'new', share: 0 };
  const from = Date.parse(lastSuccessAt);
  const until = dueAt(source, from);
  const share = Math.min(1, Math.max(0, (now - from) / Math.max(1, until - from)));
  const slack = Math.max(SLACK_MS, SLACK * 1_000 * (intervalSeconds ?? 0));
  if (state === 'failing' || now > until + slack) return { level: 'late', share: 1 };
  return { level: now > until ? 'due' : 'fresh', share };
}

/** A failed fetch stays late since its original due time, even though the retry is later. */
function dueAt({ intervalSeconds, nextFetchAt }: Times, from: number): number {
  const byInterval = from + 1_000 * (intervalSeconds ?? 0);
  const planned = nextFetchAt === null ? byInterval : Date.parse(nextFetchAt);
  return intervalSeconds === null
    ? planned
    : Math.max(byInterval, Math.min(planned, byInterval + 500 * intervalSeconds));
}

export const FRESHNESS_LABELS: Record<Freshness, string> = {
  fresh: 'fresh',
  due: 'due now',
  late: 'late',
  new: 'not fetched yet',
  inactive: 'not fetched',
};
