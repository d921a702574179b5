import type { FetchState } from '../../sources/fetch-states.table.js';
import { unpackRhythm } from './adaptive/rhythm.js';
import type { IntervalPolicy, PolicyInput, Wish } from './interval-policy.js';

/** No source that is fetched at all waits longer, however often it failed. */
export const CEILING_SECONDS = 86_400;
/** The first wait after a failure of a source that has never been fetched successfully. It doubles with each failure. */
const NEW_SOURCE_BACK_OFF_SECONDS = 120;

export interface IntervalRules {
  policy: IntervalPolicy;
  /** No source is fetched more often. */
  floorSeconds: number;
  /** How often a source is fetched whose hub pushes its news; undefined: as any other. */
  safetySeconds?: number | undefined;
  /** What a fetch must be worth just now, in seconds that followers have waited. */
  readonly price: number;
  /** The same for hosts that take no more than so many requests. */
  readonly hostPrices?: ReadonlyMap<string, number>;
}

export type IntervalState = Pick<
  FetchState,
  | 'activeFollowers'
  | 'allows'
  | 'failures'
  | 'lastSuccessAt'
  | 'goneAt'
  | 'rhythm'
  | 'rhythmAt'
  | 'wishSeconds'
  | 'host'
  | 'pushedUntil'
>;

/** What had the last word on an interval. */
type Clamp = 'none' | 'floor' | 'ceiling' | 'source' | 'host' | 'wish' | 'pushed' | 'back-off';

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
  /** What a fetch had to be worth; more than elsewhere where the host is short of requests. */
  price: number;
  /** Its host takes fewer requests than its sources are worth. */
  hostLimited: boolean;
}

/** How long a source waits from one fetch, at `from`, to the next. Undefined: it is not fetched. */
export function intervalOf(state: IntervalState, rules: IntervalRules, from: Date): Interval | undefined {
  const { price, hostLimited } = priceOf(state, rules);
  const wish = state.goneAt ? undefined : rules.policy.wish(policyInput(state), { from, price });
  if (!wish) return undefined;
  const allowed = Math.min(state.allows.everySeconds ?? 0, CEILING_SECONDS);
  const shortestSeconds = Math.max(rules.floorSeconds, allowed);
  // Where a host is short of requests, the wish of one source would be met at the cost of all others there.
  const longestSeconds = hostLimited
    ? CEILING_SECONDS
    : Math.min(state.wishSeconds ?? CEILING_SECONDS, CEILING_SECONDS);
  const polledSeconds = Math.min(Math.max(Math.min(wish.seconds, longestSeconds), shortestSeconds), CEILING_SECONDS);
  const usualSeconds = pushedSeconds(state, { rules, from, polledSeconds });
  const backOffFactor = 2 ** Math.min(state.failures, 20);
  const backedOff = Math.min(usualSeconds * backOffFactor, CEILING_SECONDS);
  const seconds = Math.min(backedOff, Math.max(newSourceSeconds(state), shortestSeconds));
  const lengths = { seconds, usualSeconds, polledSeconds, longestSeconds, wished: wish.seconds, allowed };
  const clamp = clampOf(lengths, hostLimited);
  return { seconds, wish, clamp, usualSeconds, shortestSeconds, backOffFactor, price, hostLimited };
}

/** Whoever has just followed a source waits for its first posts, so a first fetch that failed is repeated soon. */
function newSourceSeconds({ failures, lastSuccessAt }: IntervalState): number {
  if (lastSuccessAt !== null || failures === 0) return Infinity;
  return NEW_SOURCE_BACK_OFF_SECONDS * 2 ** Math.min(failures - 1, 20);
}

function priceOf({ host }: IntervalState, { price, hostPrices }: IntervalRules) {
  const hostPrice = (host !== null && hostPrices?.get(host)) || 0;
  return { price: Math.max(price, hostPrice), hostLimited: hostPrice > price };
}

export function policyInput({ activeFollowers, rhythm, rhythmAt }: IntervalState): PolicyInput {
  return { activeFollowers, rhythm: rhythm && rhythmAt && unpackRhythm(rhythm, rhythmAt.getTime() / 1_000) };
}

interface Polling {
  rules: IntervalRules;
  from: Date;
  polledSeconds: number;
}

/** Its hub is trusted no longer than it has promised to push, and a fetch that failed is not put off for it. */
function pushedSeconds({ pushedUntil, failures }: IntervalState, { rules, from, polledSeconds }: Polling): number {
  if (!pushedUntil || pushedUntil <= from || failures > 0 || rules.safetySeconds === undefined) return polledSeconds;
  const promised = (pushedUntil.getTime() - from.getTime()) / 1_000;
  return Math.min(Math.max(polledSeconds, Math.min(rules.safetySeconds, promised)), CEILING_SECONDS);
}

interface Lengths {
  seconds: number;
  usualSeconds: number;
  polledSeconds: number;
  longestSeconds: number;
  wished: number;
  allowed: number;
}

function clampOf(lengths: Lengths, hostLimited: boolean): Clamp {
  const { seconds, usualSeconds, polledSeconds, longestSeconds, wished, allowed } = lengths;
  if (seconds !== usualSeconds) return 'back-off';
  if (usualSeconds > polledSeconds) return 'pushed';
  if (polledSeconds < wished) return longestSeconds < CEILING_SECONDS ? 'wish' : 'ceiling';
  if (polledSeconds === wished) return hostLimited ? 'host' : 'none';
  return polledSeconds === allowed ? 'source' : 'floor';
}
