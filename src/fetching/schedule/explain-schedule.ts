import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import { isWaiting } from '../../platform/jobs/job-columns.js';
import { Clock } from '../../platform/time/clock.js';
import { aboutInWords, inWords } from '../../platform/time/in-words.js';
import type { FetchState } from '../../sources/fetch-states.table.js';
import type { SourceRow } from '../../sources/sources.table.js';
import { CEILING_SECONDS, type Interval, type IntervalRules, intervalOf, policyInput } from '../intervals/interval.js';
import { INTERVAL_RULES } from '../intervals/interval-rules.js';
import { tierOf } from '../intervals/tiers.js';
import { goesOnSoon, isWanted } from './next-fetch.js';

export interface Explanation {
  policy: string;
  activeFollowers: number;
  /** 1 is the most urgent. Null: the source is not fetched. */
  priority: number | null;
  intervalSeconds: number | null;
  nextFetchAt: Date | null;
  because: string[];
  terms: Record<string, number | string | null>;
}

interface Facts {
  state: FetchState;
  followers: number;
  activeWindowMs: number;
  now: Date;
}

@Injectable()
export class Schedules {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'activeWindowMs'>,
    @Inject(INTERVAL_RULES) private readonly rules: IntervalRules,
    private readonly clock: Clock,
  ) {}

  explain({ followers }: Pick<SourceRow, 'followers'>, state: FetchState): Explanation {
    const { activeWindowMs } = this.config;
    return explainSchedule({ state, followers, activeWindowMs, now: this.clock.now() }, this.rules);
  }
}

export function explainSchedule(facts: Facts, rules: IntervalRules): Explanation {
  const { state, followers } = facts;
  const { activeFollowers, failures, notBefore, allows, lastFetchAt, nextFetchAt } = state;
  const interval = intervalOf(state, rules, lastFetchAt ?? facts.now);
  return {
    policy: rules.policy.name,
    activeFollowers,
    priority: state.goneAt ? null : (tierOf(activeFollowers)?.priority ?? null),
    intervalSeconds: interval ? Math.round(interval.seconds) : null,
    nextFetchAt,
    because: [demand(facts), ...(interval ? reasons(facts, interval, rules) : [standstill(facts)]), ...next(state)],
    terms: {
      followers,
      activeFollowers,
      ...roundedAll(interval?.preferred.terms ?? {}),
      preferredSeconds: interval ? Math.round(interval.preferred.seconds) : null,
      maxDelaySeconds: state.maxDelaySeconds,
      floorSeconds: rules.floorSeconds,
      ceilingSeconds: CEILING_SECONDS,
      allowedSeconds: allows.everySeconds ?? null,
      clamp: interval?.clamp ?? null,
      host: state.host,
      pushedUntil: state.pushedUntil?.toISOString() ?? null,
      failures,
      backOffFactor: interval?.backOffFactor ?? null,
      notBefore: notBefore?.toISOString() ?? null,
      lastFetchAt: lastFetchAt?.toISOString() ?? null,
    },
  };
}

const roundedAll = (terms: Record<string, number>) =>
  Object.fromEntries(Object.entries(terms).map(([name, value]) => [name, Math.round(value * 100) / 100]));

function demand({ state: { activeFollowers }, followers, activeWindowMs }: Facts): string {
  const users = followers === 1 ? '1 user follows it' : `${followers} users follow it`;
  return `${users}, ${activeFollowers} of them seen in the last ${inWords(activeWindowMs / 1_000)}.`;
}

function standstill({ state: { goneAt, lastError } }: Facts): string {
  if (!goneAt) return 'It is not fetched until one of its followers comes back.';
  return `It is gone for good${lastError ? ` (${lastError})` : ''} and is fetched again only on request.`;
}

function reasons({ state, now }: Facts, interval: Interval, rules: IntervalRules) {
  const { allows, failures, notBefore, lastSuccessAt } = state;
  const { clamp, seconds, price, backOffFactor } = interval;
  const isHostClosed = notBefore !== null && notBefore > now;
  const sentences: (string | false)[] = [
    ...(rules.policy.explain?.(policyInput(state), { from: state.lastFetchAt ?? now, price }) ?? []),
    interval.hostLimited && `${state.host} limits requests, so its sources share them.`,
    clamp === 'source' && `The source asks to be fetched at most every ${inWords(seconds)}.`,
    clamp === 'floor' && `No source is fetched more often than every ${inWords(rules.floorSeconds)}.`,
    clamp === 'ceiling' && `Every source is fetched at least every ${inWords(seconds)}.`,
    clamp === 'pushed' && pushes(state, seconds),
    explainMaxDelay(state, interval, rules),
    failures > 0 &&
      `${failed(state)}${isHostClosed ? '' : `: it waits ${lastSuccessAt ? backOff(backOffFactor) : inWords(seconds)}`}.`,
    isHostClosed && `Its host accepts no requests until ${notBefore.toISOString()}.`,
    state.waitsForWorker &&
      `It could not be fetched (${state.lastError}). It will be fetched as soon as a worker is connected.`,
    skips(allows.skipHours, 'at these hours (UTC)'),
    skips(allows.skipDays, 'on these days (0 is Sunday)'),
    missing(state),
  ];
  return sentences.filter((sentence) => sentence !== false);
}

const pushes = ({ pushedUntil }: FetchState, seconds: number) =>
  `Its hub pushes new posts until at least ${pushedUntil?.toISOString()}, so it is polled only every ${aboutInWords(seconds)} as a safeguard.`;

function explainMaxDelay(
  { maxDelaySeconds, allows }: FetchState,
  interval: Interval,
  rules: IntervalRules,
): string | false {
  const { clamp, seconds, hostLimited } = interval;
  if (maxDelaySeconds === null || clamp === 'pushed') return false;
  const asks = `A follower asks for posts within ${inWords(maxDelaySeconds)}`;
  if (seconds <= maxDelaySeconds)
    return clamp === 'max-delay' ? `${asks}, so it is fetched that often.` : `${asks}, which is met.`;
  if (clamp === 'back-off') return `${asks}; that cannot be met while fetches fail.`;
  if (hostLimited) return `${asks}; that cannot be met, because its host takes no more requests.`;
  if ((allows.everySeconds ?? 0) > maxDelaySeconds)
    return `${asks}; that cannot be met, because the source allows a fetch only every ${aboutInWords(seconds)}.`;
  return `${asks}; that cannot be met, because no source is fetched more often than every ${inWords(rules.floorSeconds)}.`;
}

function failed({ failures, lastError }: FetchState): string {
  const times = failures === 1 ? 'The last fetch' : `The last ${failures} fetches`;
  return `${times} failed (${lastError ?? 'unknown'})`;
}

const backOff = (factor: number) => `${factor} times as long as usual, up to ${inWords(CEILING_SECONDS)}`;

function missing(state: FetchState): string | false {
  if (!state.gaps.length) return false;
  if (goesOnSoon(state)) return 'Some new posts are not fetched yet, so the next fetch is due soon.';
  return `Some new posts are not fetched yet${state.failures ? '' : ` (${state.lastError})`}.`;
}

function next(state: FetchState): string[] {
  if (isWaiting(state)) return isWanted(state) ? ['It is queued to be fetched.'] : [];
  return state.nextFetchAt ? [`The next fetch is due at ${state.nextFetchAt.toISOString()}.`] : [];
}

function skips(times: number[] | undefined, what: string): string | false {
  return !!times?.length && `The source asks not to be fetched ${what}: ${times.join(', ')}.`;
}
