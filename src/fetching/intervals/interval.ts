import type { FetchState } from '../../sources/fetch-states.table.js';
import { unpackRhythm } from './adaptive/rhythm.js';
import type { IntervalPolicy, PolicyInput, PreferredInterval } from './interval-policy.js';

/** Maximum interval of a source that is fetched at all, however often it failed. */
export const CEILING_SECONDS = 86_400;
/** Wait after the first failure of a source that never succeeded. It doubles with each further failure. */
const NEW_SOURCE_BACK_OFF_SECONDS = 120;

export interface IntervalRules {
  policy: IntervalPolicy;
  floorSeconds: number;
  /** Interval of a source whose hub pushes new posts. Undefined: such a source is polled like any other. */
  safetySeconds?: number | undefined;
  readonly price: number;
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
  | 'maxDelaySeconds'
  | 'host'
  | 'pushedUntil'
>;

type Clamp = 'none' | 'floor' | 'ceiling' | 'source' | 'host' | 'max-delay' | 'pushed' | 'back-off';

export interface Interval {
  seconds: number;
  preferred: PreferredInterval;
  clamp: Clamp;
  usualSeconds: number;
  shortestSeconds: number;
  backOffFactor: number;
  price: number;
  /** True if the host takes fewer requests than its sources are worth. */
  hostLimited: boolean;
}

/** Undefined: the source is not fetched. */
export function intervalOf(state: IntervalState, rules: IntervalRules, from: Date): Interval | undefined {
  const { price, hostLimited } = priceOf(state, rules);
  const preferred = state.goneAt ? undefined : rules.policy.preferredInterval(policyInput(state), { from, price });
  if (!preferred) return undefined;
  const allowed = Math.min(state.allows.everySeconds ?? 0, CEILING_SECONDS);
  const shortestSeconds = Math.max(rules.floorSeconds, allowed);
  // On a host with a request limit, a follower's maximum delay would be met at the cost of its other sources.
  const longestSeconds = hostLimited
    ? CEILING_SECONDS
    : Math.min(state.maxDelaySeconds ?? CEILING_SECONDS, CEILING_SECONDS);
  const polledSeconds = Math.min(
    Math.max(Math.min(preferred.seconds, longestSeconds), shortestSeconds),
    CEILING_SECONDS,
  );
  const usualSeconds = pushedSeconds(state, { rules, from, polledSeconds });
  const backOffFactor = 2 ** Math.min(state.failures, 20);
  const backedOff = Math.min(usualSeconds * backOffFactor, CEILING_SECONDS);
  const seconds = Math.min(backedOff, Math.max(newSourceSeconds(state), shortestSeconds));
  const lengths = {
    seconds,
    usualSeconds,
    polledSeconds,
    longestSeconds,
    preferredSeconds: preferred.seconds,
    allowed,
  };
  const clamp = clampOf(lengths, hostLimited);
  return { seconds, preferred, clamp, usualSeconds, shortestSeconds, backOffFactor, price, hostLimited };
}

/** New followers wait for the first posts, so a failed first fetch is repeated soon. */
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

/** The hub is trusted only until its lease ends, and not at all after a failed fetch. */
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
  preferredSeconds: number;
  allowed: number;
}

function clampOf(lengths: Lengths, hostLimited: boolean): Clamp {
  const { seconds, usualSeconds, polledSeconds, longestSeconds, preferredSeconds, allowed } = lengths;
  if (seconds !== usualSeconds) return 'back-off';
  if (usualSeconds > polledSeconds) return 'pushed';
  if (polledSeconds < preferredSeconds) return longestSeconds < CEILING_SECONDS ? 'max-delay' : 'ceiling';
  if (polledSeconds === preferredSeconds) return hostLimited ? 'host' : 'none';
  return polledSeconds === allowed ? 'source' : 'floor';
}
