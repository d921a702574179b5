import type { FetchState } from '../../sources/fetch-states.table.js';
import { type Interval, type IntervalRules, type IntervalState, intervalOf } from '../intervals/interval.js';
import { afterSkippedTimes } from '../intervals/skipped-times.js';
import { isRequested } from './tier-priority.js';

type ScheduleState = IntervalState & Pick<FetchState, 'lastFetchAt' | 'nextFetchAt' | 'intervalSeconds' | 'notBefore'>;

type FetchedState = ScheduleState & Pick<FetchState, 'gaps' | 'lastError' | 'fetches'>;

export type Schedule = Pick<FetchState, 'nextFetchAt' | 'intervalSeconds'>;

/** Sources fetched at the same moment are spread over this share of their interval. */
const JITTER = 0.1;
/** Fetches that are due just after a regular post are spread over this time, because many sources post on the hour. */
const MAX_EXACT_JITTER_SECONDS = 30;
export const MEAN_JITTER = 1 + JITTER / 2;
/** Sources of a host that has reopened are fetched within this time, however long their interval is. */
const MAX_AFTER_OPENING_SECONDS = 300;
const NEVER: Schedule = { nextFetchAt: null, intervalSeconds: null };

/** `random` is between 0 and 1. */
export function afterFetch(
  state: FetchedState,
  rules: IntervalRules,
  { now, random }: { now: Date; random: number },
): Schedule {
  const interval = intervalOf(state, rules, now);
  if (!interval) return NEVER;
  const isHostClosed = state.notBefore !== null && state.notBefore > now;
  const wait = isHostClosed ? Math.min(interval.usualSeconds, interval.seconds) : interval.seconds;
  const seconds = goesOnSoon(state) ? Math.min(wait, interval.shortestSeconds) : wait;
  const begins = rules.policy.beginsAnywhere && state.fetches === 0 && state.failures === 0;
  const bound = maxDelayBound(state, interval);
  const planned = plus(
    now,
    begins ? spreadFirst(seconds, interval, random) : Math.min(spread(seconds, interval, random), bound),
  );
  return { nextFetchAt: allowedFrom(planned, state), intervalSeconds: Math.round(interval.seconds) };
}

/** Jitter lengthens the interval, because the source's limit is a minimum, and shortens a maximum set by a follower. */
function spread(seconds: number, { clamp, shortestSeconds, preferred }: Interval, random: number): number {
  const jitter = preferred.exact ? Math.min(seconds * JITTER, MAX_EXACT_JITTER_SECONDS) : seconds * JITTER;
  if (clamp !== 'max-delay') return seconds + jitter * random;
  return Math.max(seconds * (1 - JITTER * random), shortestSeconds);
}

function maxDelayBound({ maxDelaySeconds }: ScheduleState, { clamp, shortestSeconds, hostLimited }: Interval): number {
  if (maxDelaySeconds === null || clamp === 'pushed' || clamp === 'back-off' || hostLimited) return Infinity;
  return Math.max(maxDelaySeconds, shortestSeconds);
}

/** Spreads sources that were first fetched together, such as those of an import, over their whole interval. */
function spreadFirst(seconds: number, { shortestSeconds }: Interval, random: number): number {
  return Math.max(seconds * random, shortestSeconds);
}

/** While posts are missing, the next fetch is due as soon as allowed, unless the last attempt failed. */
export function goesOnSoon({ gaps, lastError }: Pick<FetchState, 'gaps' | 'lastError'>): boolean {
  return gaps.length > 0 && lastError === null;
}

export function afterHostOpens(
  state: ScheduleState,
  rules: IntervalRules,
  { until, random }: { until: Date; random: number },
): Schedule {
  const interval = intervalOf(state, rules, until);
  if (!interval) return NEVER;
  const planned = plus(until, Math.min(interval.usualSeconds * JITTER, MAX_AFTER_OPENING_SECONDS) * random);
  return { nextFetchAt: allowedFrom(planned, state), intervalSeconds: Math.round(interval.seconds) };
}

/** A source that lost its last active follower while enqueued is not fetched, unless a user requested it. */
export function isWanted(
  state: Pick<FetchState, 'activeFollowers' | 'lastFetchAt' | 'jobPriority' | 'jobOwner'>,
): boolean {
  return state.activeFollowers > 0 || state.lastFetchAt === null || isRequested(state);
}

export function rescheduled(state: ScheduleState, rules: IntervalRules, now: Date): Schedule {
  const interval = intervalOf(state, rules, state.lastFetchAt ?? now);
  if (!interval) return NEVER;
  const { nextFetchAt, lastFetchAt } = state;
  const intervalSeconds = Math.round(interval.seconds);
  if (nextFetchAt && state.intervalSeconds === intervalSeconds) return { nextFetchAt, intervalSeconds };
  const planned = lastFetchAt ? plus(lastFetchAt, interval.seconds) : now;
  return { nextFetchAt: allowedFrom(later(planned, now), state), intervalSeconds };
}

/** A policy with `rescale` needs only the previous interval, which is much less to read than a million rhythms. */
export function rescaled(
  state: ScheduleState,
  before: number,
  { rules, now }: { rules: IntervalRules; now: Date },
): Schedule {
  const { intervalSeconds, activeFollowers, failures, lastSuccessAt } = state;
  // The interval of a source that has never succeeded depends on its failures and not on its followers.
  if (!lastSuccessAt && failures) return rescheduled(state, rules, now);
  const { rescale } = rules.policy;
  if (!rescale || !intervalSeconds || !before || !activeFollowers) return rescheduled(state, rules, now);
  const usual = intervalSeconds / 2 ** Math.min(failures, 20);
  const seconds = rescale(usual, { before, now: activeFollowers });
  const policy = { name: rules.policy.name, preferredInterval: () => ({ seconds, terms: {} }) };
  return rescheduled(state, { ...rules, policy }, now);
}

function allowedFrom(planned: Date, { notBefore, allows }: Pick<ScheduleState, 'notBefore' | 'allows'>): Date {
  return afterSkippedTimes(notBefore ? later(planned, notBefore) : planned, allows);
}

const plus = (date: Date, seconds: number) => new Date(date.getTime() + seconds * 1_000);
const later = (a: Date, b: Date) => (a > b ? a : b);
