import type { FetchState } from '../../sources/fetch-states.table.js';
import { type Interval, type IntervalRules, type IntervalState, intervalOf } from '../intervals/interval.js';
import { afterSkippedTimes } from '../intervals/skipped-times.js';
import { isRequested } from './tier-priority.js';

/** What a source's next time depends on. */
type ScheduleState = IntervalState & Pick<FetchState, 'lastFetchAt' | 'nextFetchAt' | 'intervalSeconds' | 'notBefore'>;

/** What the time after a fetch depends on, too. */
type FetchedState = ScheduleState & Pick<FetchState, 'gaps' | 'lastError' | 'fetches'>;

export type Schedule = Pick<FetchState, 'nextFetchAt' | 'intervalSeconds'>;

/** Spreads what came at once over a tenth of its interval. */
const JITTER = 0.1;
/** So much more seldom than their interval says sources are fetched for it, on average. */
export const MEAN_JITTER = 1 + JITTER / 2;
/** However seldom they are fetched, the sources of a host that has opened again come within this time. */
const MAX_AFTER_OPENING_SECONDS = 300;
const NEVER: Schedule = { nextFetchAt: null, intervalSeconds: null };

/** The schedule of a source that was fetched just now. `random` is from 0 to 1. */
export function afterFetch(
  state: FetchedState,
  rules: IntervalRules,
  { now, random }: { now: Date; random: number },
): Schedule {
  const interval = intervalOf(state, rules, now);
  if (!interval) return NEVER;
  const told = state.notBefore !== null && state.notBefore > now;
  const wait = told ? Math.min(interval.usualSeconds, interval.seconds) : interval.seconds;
  const seconds = goesOnSoon(state) ? Math.min(wait, interval.shortestSeconds) : wait;
  const begins = rules.policy.beginsAnywhere && state.fetches === 0 && state.failures === 0;
  const bound = wishBound(state, interval);
  const planned = plus(
    now,
    begins ? begun(seconds, interval, random) : Math.min(spread(seconds, interval, random), bound),
  );
  return { nextFetchAt: allowedFrom(planned, state), intervalSeconds: Math.round(interval.seconds) };
}

/** Later, because a source's own limit holds; sooner where a follower's wish is what bounds the interval. */
function spread(seconds: number, { clamp, shortestSeconds }: Interval, random: number): number {
  if (clamp !== 'wish') return seconds * (1 + JITTER * random);
  return Math.max(seconds * (1 - JITTER * random), shortestSeconds);
}

/** No chance takes a source beyond what a follower asks for, where that can be met. */
function wishBound({ wishSeconds }: ScheduleState, { clamp, shortestSeconds, hostLimited }: Interval): number {
  if (wishSeconds === null || clamp === 'pushed' || clamp === 'back-off' || hostLimited) return Infinity;
  return Math.max(wishSeconds, shortestSeconds);
}

/** What was fetched for the first time at once, such as all of an import, goes on as if it had been for long. */
function begun(seconds: number, { shortestSeconds }: Interval, random: number): number {
  return Math.max(seconds * random, shortestSeconds);
}

/** While posts are missing, the next of them are fetched as soon as may be, unless fetching them is what fails. */
export function goesOnSoon({ gaps, lastError }: Pick<FetchState, 'gaps' | 'lastError'>): boolean {
  return gaps.length > 0 && lastError === null;
}

/** The schedule of a source that could not be asked because its host wants to be left alone until then. */
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

/** A source that lost its last active follower while it waited is not fetched, unless somebody asked for it. */
export function isWanted(
  state: Pick<FetchState, 'activeFollowers' | 'lastFetchAt' | 'jobPriority' | 'jobOwner'>,
): boolean {
  return state.activeFollowers > 0 || state.lastFetchAt === null || isRequested(state);
}

/** The schedule of a source between two fetches, after its followers have changed. */
export function rescheduled(state: ScheduleState, rules: IntervalRules, now: Date): Schedule {
  const interval = intervalOf(state, rules, state.lastFetchAt ?? now);
  if (!interval) return NEVER;
  const { nextFetchAt, lastFetchAt } = state;
  const intervalSeconds = Math.round(interval.seconds);
  if (nextFetchAt && state.intervalSeconds === intervalSeconds) return { nextFetchAt, intervalSeconds };
  const planned = lastFetchAt ? plus(lastFetchAt, interval.seconds) : now;
  return { nextFetchAt: allowedFrom(later(planned, now), state), intervalSeconds };
}

/**
 * The same where a million are to be rescheduled: a policy that can goes by the interval there was, which is so much less to read
 * than a rhythm.
 */
export function rescaled(
  state: ScheduleState,
  before: number,
  { rules, now }: { rules: IntervalRules; now: Date },
): Schedule {
  const { intervalSeconds, activeFollowers, failures, lastSuccessAt } = state;
  // The interval of a source that has never succeeded says how often it failed and nothing about its followers.
  if (!lastSuccessAt && failures) return rescheduled(state, rules, now);
  const { rescale } = rules.policy;
  if (!rescale || !intervalSeconds || !before || !activeFollowers) return rescheduled(state, rules, now);
  const usual = intervalSeconds / 2 ** Math.min(failures, 20);
  const seconds = rescale(usual, { before, now: activeFollowers });
  const policy = { name: rules.policy.name, wish: () => ({ seconds, terms: {} }) };
  return rescheduled(state, { ...rules, policy }, now);
}

function allowedFrom(planned: Date, { notBefore, allows }: Pick<ScheduleState, 'notBefore' | 'allows'>): Date {
  return afterSkippedTimes(notBefore ? later(planned, notBefore) : planned, allows);
}

const plus = (date: Date, seconds: number) => new Date(date.getTime() + seconds * 1_000);
const later = (a: Date, b: Date) => (a > b ? a : b);
