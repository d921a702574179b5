import type { FetchState } from '../sources/fetch-states.table.js';
import { type IntervalRules, intervalOf } from './intervals/interval.js';
import { afterSkippedTimes } from './intervals/skipped-times.js';

/** What a source's next time depends on. */
export type ScheduleState = Pick<
  FetchState,
  'activeFollowers' | 'lastFetchAt' | 'nextFetchAt' | 'intervalSeconds' | 'allows' | 'notBefore' | 'failures' | 'goneAt'
>;

/** What the time after a fetch depends on, too. */
export type FetchedState = ScheduleState & Pick<FetchState, 'gaps' | 'lastError'>;

export type Schedule = Pick<FetchState, 'nextFetchAt' | 'intervalSeconds'>;

/** Spreads what came at once over a tenth of its interval. Only ever later: a source's own limit holds. */
const JITTER = 0.1;
const NEVER: Schedule = { nextFetchAt: null, intervalSeconds: null };

/** The schedule of a source that was fetched just now. `random` is from 0 to 1. */
export function afterFetch(
  state: FetchedState,
  rules: IntervalRules,
  { now, random }: { now: Date; random: number },
): Schedule {
  const interval = intervalOf(state, rules);
  if (!interval) return NEVER;
  const told = state.notBefore !== null && state.notBefore > now;
  const wait = told ? interval.usualSeconds : interval.seconds;
  const seconds = goesOnSoon(state) ? Math.min(wait, interval.shortestSeconds) : wait;
  const planned = plus(now, seconds * (1 + JITTER * random));
  return { nextFetchAt: allowedFrom(planned, state), intervalSeconds: interval.seconds };
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
  const interval = intervalOf(state, rules);
  if (!interval) return NEVER;
  const planned = plus(until, interval.usualSeconds * JITTER * random);
  return { nextFetchAt: allowedFrom(planned, state), intervalSeconds: interval.seconds };
}

/** A source that lost its last active follower while it waited is not fetched, unless somebody asked for it. */
export function isWanted({
  activeFollowers,
  lastFetchAt,
  jobPriority,
}: Pick<FetchState, 'activeFollowers' | 'lastFetchAt' | 'jobPriority'>): boolean {
  return activeFollowers > 0 || lastFetchAt === null || jobPriority === 0;
}

/** The schedule of a source between two fetches, after its followers have changed. */
export function rescheduled(state: ScheduleState, rules: IntervalRules, now: Date): Schedule {
  const interval = intervalOf(state, rules);
  if (!interval) return NEVER;
  const { nextFetchAt, intervalSeconds, lastFetchAt } = state;
  if (nextFetchAt && intervalSeconds === interval.seconds) return { nextFetchAt, intervalSeconds };
  const planned = lastFetchAt ? plus(lastFetchAt, interval.seconds) : now;
  return { nextFetchAt: allowedFrom(later(planned, now), state), intervalSeconds: interval.seconds };
}

function allowedFrom(planned: Date, { notBefore, allows }: Pick<ScheduleState, 'notBefore' | 'allows'>): Date {
  return afterSkippedTimes(notBefore ? later(planned, notBefore) : planned, allows);
}

const plus = (date: Date, seconds: number) => new Date(date.getTime() + seconds * 1_000);
const later = (a: Date, b: Date) => (a > b ? a : b);
