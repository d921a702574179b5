import type { FetchState } from '../sources/fetch-states.table.js';
import { CEILING_SECONDS, type Interval, type IntervalRules, intervalOf } from './intervals/interval.js';
import { tierOf } from './intervals/tiers.js';
import { goesOnSoon, isWanted } from './next-fetch.js';

export interface Explanation {
  policy: string;
  activeFollowers: number;
  /** 1 is most urgent; null: not fetched. */
  priority: number | null;
  intervalSeconds: number | null;
  nextFetchAt: Date | null;
  because: string[];
  terms: Record<string, number | string | null>;
}

export interface Facts {
  state: FetchState;
  followers: number;
  activeWindowMs: number;
  now: Date;
}

/** Why a source is fetched when it is, in words and numbers. */
export function explainSchedule(facts: Facts, rules: IntervalRules): Explanation {
  const { state, followers } = facts;
  const { activeFollowers, failures, notBefore, allows, lastFetchAt, nextFetchAt } = state;
  const interval = intervalOf(state, rules);
  return {
    policy: rules.policy.name,
    activeFollowers,
    priority: state.goneAt ? null : (tierOf(activeFollowers)?.priority ?? null),
    intervalSeconds: interval?.seconds ?? null,
    nextFetchAt,
    because: [demand(facts), ...(interval ? reasons(facts, interval, rules) : [standstill(facts)]), ...next(state)],
    terms: {
      followers,
      activeFollowers,
      ...interval?.wish.terms,
      wishedSeconds: interval?.wish.seconds ?? null,
      floorSeconds: rules.floorSeconds,
      ceilingSeconds: CEILING_SECONDS,
      allowedSeconds: allows.everySeconds ?? null,
      clamp: interval?.clamp ?? null,
      failures,
      backOffFactor: interval?.backOffFactor ?? null,
      notBefore: notBefore?.toISOString() ?? null,
      lastFetchAt: lastFetchAt?.toISOString() ?? null,
    },
  };
}

function demand({ state: { activeFollowers }, followers, activeWindowMs }: Facts): string {
  const users = followers === 1 ? '1 user follows it' : `${followers} users follow it`;
  return `${users}, ${activeFollowers} of them seen in the last ${inWords(activeWindowMs / 1_000)}.`;
}

function standstill({ state: { goneAt, lastError } }: Facts): string {
  if (!goneAt) return 'It is not fetched until one of its followers comes back.';
  return `It is gone for good${lastError ? ` (${lastError})` : ''} and is fetched again only on request.`;
}

function reasons({ state, now }: Facts, { wish, clamp, seconds, backOffFactor }: Interval, rules: IntervalRules) {
  const { allows, failures, notBefore } = state;
  const every = inWords(seconds);
  const told = notBefore !== null && notBefore > now;
  const said: (string | false)[] = [
    wish.because,
    clamp === 'source' && `It asks not to be fetched more often than every ${every}, so that it is.`,
    clamp === 'floor' && `No source is fetched more often than every ${inWords(rules.floorSeconds)}.`,
    clamp === 'ceiling' && `No source waits longer than ${every}.`,
    failures > 0 && `${failed(state)}${told ? '' : `: it waits ${backOff(backOffFactor)}`}.`,
    told && `Its host asked to be left alone until ${notBefore.toISOString()}.`,
    state.waitsForWorker && `It could not be fetched (${state.lastError}) and is as soon as a worker is there.`,
    skips(allows.skipHours, 'hours (UTC)'),
    skips(allows.skipDays, 'days (0 is Sunday)'),
    missing(state),
  ];
  return said.filter((sentence) => sentence !== false);
}

function failed({ failures, lastError }: FetchState): string {
  const times = failures === 1 ? 'The last fetch' : `The last ${failures} fetches`;
  return `${times} failed (${lastError ?? 'unknown'})`;
}

const backOff = (factor: number) => `${factor} times as long as usual, up to ${inWords(CEILING_SECONDS)}`;

function missing(state: FetchState): string | false {
  if (!state.gaps.length) return false;
  if (goesOnSoon(state)) return 'Not all of its new posts are fetched yet, so it goes on soon.';
  return `Not all of its new posts are fetched yet${state.failures ? '' : ` (${state.lastError})`}.`;
}

function next(state: FetchState): string[] {
  if (state.jobState === 'waiting') return isWanted(state) ? ['It is in line to be fetched.'] : [];
  return state.nextFetchAt ? [`The next fetch is due at ${state.nextFetchAt.toISOString()}.`] : [];
}

function skips(times: number[] | undefined, what: string): string | false {
  return !!times?.length && `It wants none of these ${what}: ${times.join(', ')}.`;
}

/** `90` → "90 seconds", `7200` → "2 hours". */
export function inWords(seconds: number): string {
  const units: [number, string][] = [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ];
  const [size, unit] = units.find(([size]) => seconds >= size && seconds % size === 0) ?? [1, 'second'];
  const count = Math.round(seconds / size);
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}
