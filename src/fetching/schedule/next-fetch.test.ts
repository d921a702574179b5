import { describe, expect, it } from 'vitest';
import { fetchState } from '../../../test/fetching/fetch-state.js';
import { adaptive } from '../intervals/interval-rules.js';
import { tiers } from '../intervals/tiers.js';
import { learnedRhythm } from './learned-rhythm.js';
import { afterFetch, afterHostOpens, rescaled, rescheduled } from './next-fetch.js';

const rules = { policy: tiers, floorSeconds: 60, price: 600 };
const now = new Date('2026-05-01T12:00:00Z');
const minutes = (count: number, from = now) => new Date(from.getTime() + count * 60_000);
type Given = Parameters<typeof fetchState>[0];

describe('after a fetch', () => {
  const next = (state: Given, random = 0) => afterFetch(fetchState(state), rules, { now, random }).nextFetchAt;

  it('a source is due after its interval', () => {
    expect(next({ activeFollowers: 100 })).toEqual(minutes(3));
  });

  it('is spread over a tenth of the interval, never earlier', () => {
    expect(next({ activeFollowers: 2 }, 1)).toEqual(minutes(66));
    expect(next({ activeFollowers: 2 }, 0)).toEqual(minutes(60));
  });

  it('after its first one a source comes back anywhere within its interval, by the adaptive policy', () => {
    const begins = (state: Given, random: number) =>
      afterFetch(fetchState(state), { ...rules, policy: adaptive }, { now, random });
    const { intervalSeconds } = begins({}, 0);
    expect(begins({}, 0).nextFetchAt).toEqual(minutes(1));
    expect(begins({}, 0.5).nextFetchAt?.getTime()).toBeCloseTo(minutes((intervalSeconds ?? 0) / 120).getTime(), -3);
    expect(begins({ fetches: 1 }, 0).nextFetchAt?.getTime()).toBeCloseTo(
      minutes((intervalSeconds ?? 0) / 60).getTime(),
      -3,
    );
  });

  it('after a regular post is spread over half a minute only', () => {
    const hourly = Array.from({ length: 30 }, (_, n) => ({ publishedAt: minutes(-60 * n - 20), dated: true }));
    const never = { rhythm: null, rhythmAt: null, lastSuccessAt: null };
    const state = fetchState({ ...learnedRhythm(never, { published: hourly, now }), fetches: 1 });
    const by = (random: number) => afterFetch(state, { ...rules, policy: adaptive }, { now, random }).nextFetchAt;
    expect(by(0)).toEqual(new Date(minutes(40).getTime() + 10_000));
    expect(by(1)).toEqual(new Date(minutes(40).getTime() + 40_000));
  });

  it('comes sooner, not later, where a follower has set a maximum delay, but no sooner than is allowed', () => {
    expect(next({ maxDelaySeconds: 600 }, 1)).toEqual(minutes(9));
    expect(next({ maxDelaySeconds: 600 }, 0)).toEqual(minutes(10));
    expect(next({ maxDelaySeconds: 60 }, 1)).toEqual(minutes(1));
  });

  it('comes no later than a follower asks for, though the policy alone would have it just before', () => {
    expect(next({ activeFollowers: 2, maxDelaySeconds: 3_660 }, 1)).toEqual(minutes(61));
    expect(next({ activeFollowers: 2, maxDelaySeconds: 7_200 }, 1)).toEqual(minutes(66));
    expect(next({ activeFollowers: 100, maxDelaySeconds: 60, allows: { everySeconds: 600 } }, 1)).toEqual(minutes(10));
    expect(next({ activeFollowers: 2, maxDelaySeconds: 3_660, failures: 1 }, 1)).toEqual(minutes(132));
  });

  it('of a source whose hub pushes is tried again soon after a failure, even if the source named a time', () => {
    const failed = { activeFollowers: 2, failures: 1, pushedUntil: minutes(10_000) };
    const by = (state: Given) =>
      afterFetch(fetchState(state), { ...rules, safetySeconds: 86_400 }, { now, random: 0 }).nextFetchAt;
    expect(by(failed)).toEqual(minutes(120));
    expect(by({ ...failed, notBefore: minutes(5) })).toEqual(minutes(60));
    expect(by({ ...failed, failures: 0 })).toEqual(minutes(1_440));
  });

  it('waits as told instead of backing off', () => {
    expect(next({ activeFollowers: 2, failures: 3, notBefore: minutes(90) })).toEqual(minutes(90));
    expect(next({ activeFollowers: 2, failures: 3, notBefore: minutes(5) })).toEqual(minutes(60));
  });

  it('of a source that has never succeeded comes when it may, not a day later', () => {
    const failed = { activeFollowers: 1, failures: 1, lastSuccessAt: null };
    expect(next({ ...failed, notBefore: minutes(1) })).toEqual(minutes(2));
    expect(next({ ...failed, notBefore: minutes(30) })).toEqual(minutes(30));
  });

  it('backs off from one that says it may be asked again at once', () => {
    expect(next({ activeFollowers: 100, failures: 2, notBefore: now })).toEqual(minutes(12));
  });

  it('comes back soon while posts are missing, unless it fails', () => {
    const gaps = [{ cursor: 'c', floor: '1' }];
    expect(next({ gaps })).toEqual(minutes(1));
    expect(next({ gaps, failures: 1, lastError: 'it answered 500' })).toEqual(minutes(240));
    expect(next({ gaps, lastError: 'its second page answered 500' })).toEqual(minutes(120));
  });

  it('comes back for missing posts no sooner than the source allows', () => {
    const gaps = [{ cursor: 'c', floor: '1' }];
    expect(next({ gaps, allows: { everySeconds: 600 } })).toEqual(minutes(10));
    expect(next({ gaps, notBefore: minutes(20) })).toEqual(minutes(20));
  });

  it('avoids hours that the source skips', () => {
    expect(next({ activeFollowers: 2, allows: { skipHours: [13, 14] } })).toEqual(new Date('2026-05-01T15:00:00Z'));
  });

  it('is not due at all without active followers', () => {
    expect(next({ activeFollowers: 0 })).toBeNull();
  });
});

describe('a change of followers', () => {
  const schedule = (state: Given) => rescheduled(fetchState(state), rules, now);
  const fetched = { lastFetchAt: minutes(-30), nextFetchAt: minutes(95), intervalSeconds: 7_200 };

  it('within a tier leaves the time as it is', () => {
    expect(schedule({ ...fetched, activeFollowers: 1 })).toEqual({ nextFetchAt: minutes(95), intervalSeconds: 7_200 });
  });

  it('to a faster tier brings the next fetch forward, but not into the past', () => {
    expect(schedule({ ...fetched, activeFollowers: 2 }).nextFetchAt).toEqual(minutes(30));
    expect(schedule({ ...fetched, activeFollowers: 100 }).nextFetchAt).toEqual(now);
  });

  it('to a slower tier puts it off', () => {
    const popular = { lastFetchAt: minutes(-1), nextFetchAt: minutes(2), intervalSeconds: 180 };
    expect(schedule({ ...popular, activeFollowers: 1 }).nextFetchAt).toEqual(minutes(119));
  });

  it('pauses a source that lost its last active follower', () => {
    expect(schedule({ ...fetched, activeFollowers: 0 })).toEqual({ nextFetchAt: null, intervalSeconds: null });
  });

  it('wakes a paused source at once if it is due', () => {
    const paused = { nextFetchAt: null, intervalSeconds: null };
    expect(schedule({ ...paused, lastFetchAt: minutes(-1_440) }).nextFetchAt).toEqual(now);
    expect(schedule({ ...paused, lastFetchAt: minutes(-30) }).nextFetchAt).toEqual(minutes(90));
  });

  it('fetches a source at once that never was', () => {
    expect(schedule({}).nextFetchAt).toEqual(now);
  });

  it('does not wake one that wants to be left alone, or is gone', () => {
    expect(schedule({ notBefore: minutes(20) }).nextFetchAt).toEqual(minutes(20));
    expect(schedule({ goneAt: now }).nextFetchAt).toBeNull();
  });
});

describe('a recount', () => {
  const adaptively = { ...rules, policy: adaptive };
  const schedule = (state: Given, before: number, by = adaptively) =>
    rescaled(fetchState(state), before, { rules: by, now });
  const fetched = { lastFetchAt: minutes(-30), nextFetchAt: minutes(95), intervalSeconds: 7_200 };

  it('goes by the interval there was and the root of the followers, from the last fetch on', () => {
    expect(schedule({ ...fetched, activeFollowers: 4 }, 1)).toEqual({
      nextFetchAt: minutes(30),
      intervalSeconds: 3_600,
    });
    expect(schedule({ ...fetched, activeFollowers: 1, failures: 1, intervalSeconds: 3_600 }, 4)).toEqual({
      nextFetchAt: minutes(90),
      intervalSeconds: 7_200,
    });
  });

  it('keeps within what bounds any interval', () => {
    expect(schedule({ ...fetched, activeFollowers: 1_000_000 }, 1).intervalSeconds).toBe(60);
    expect(schedule({ ...fetched, activeFollowers: 1 }, 1_000_000).intervalSeconds).toBe(86_400);
    expect(schedule({ ...fetched, activeFollowers: 0 }, 3)).toEqual({ nextFetchAt: null, intervalSeconds: null });
  });

  it('asks a policy that goes by followers alone', () => {
    expect(schedule({ ...fetched, activeFollowers: 2 }, 1, rules)).toMatchObject({ intervalSeconds: 3_600 });
  });
});

it('after a host opens again its sources come one after the other, within minutes', () => {
  const at = (activeFollowers: number, random: number) =>
    afterHostOpens(fetchState({ activeFollowers }), rules, { until: minutes(10), random }).nextFetchAt;
  expect(at(5, 0)).toEqual(minutes(10));
  expect(at(5, 1)).toEqual(minutes(13));
  expect(at(1, 1)).toEqual(minutes(15));
});
