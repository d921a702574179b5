import type { FetchState } from '../../sources/fetch-states.table.js';
import type { IntervalPolicy, Wish } from './interval-policy.js';

/** No source that is fetched at all waits longer, however often it failed. */
export const CEILING_SECONDS = 86_400;

export interface IntervalRules {
  policy: IntervalPolicy;
  /** No source is fetched more often. */
  floorSeconds: number;
}

export type IntervalState = Pick<FetchState, 'activeFollowers' | 'allows' | 'failures' | 'goneAt'>;

/** What had the last word on an interval. */
export type Clamp = 'none' | 'floor' | 'ceiling' | 'source' | 'back-off';

/** An interval with every term that led to it. */
export interface Interval {
  seconds: number;
  wish: Wish;
  clamp: Clamp;
  /** Without the lengthening for failures. */
  usualSeconds: number;
  /** What we and the source allow at the least. */
  shortestSeconds: number;
  backOffFactor: number;
}

/** How long a source waits between two fetches. Undefined: it is not fetched. */
export function intervalOf(state: IntervalState, { policy, floorSeconds }: IntervalRules): Interval | undefined {
  const wish = state.goneAt ? undefined : policy.wish(state);
  if (!wish) return undefined;
  const allowed = Math.min(state.allows.everySeconds ?? 0, CEILING_SECONDS);
  const shortestSeconds = Math.max(floorSeconds, allowed);
  const usualSeconds = Math.min(Math.max(wish.seconds, shortestSeconds), CEILING_SECONDS);
  const backOffFactor = 2 ** Math.min(state.failures, 20);
  const seconds = Math.min(usualSeconds * backOffFactor, CEILING_SECONDS);
  const clamp = clampOf({ seconds, usualSeconds, wished: wish.seconds, allowed });
  return { seconds, wish, clamp, usualSeconds, shortestSeconds, backOffFactor };
}

interface Lengths {
  seconds: number;
  usualSeconds: number;
  wished: number;
  allowed: number;
}

function clampOf({ seconds, usualSeconds, wished, allowed }: Lengths): Clamp {
  if (seconds > usualSeconds) return 'back-off';
  if (usualSeconds < wished) return 'ceiling';
  if (usualSeconds === wished) return 'none';
  return usualSeconds === allowed ? 'source' : 'floor';
}
