import { describe, expect, it } from 'vitest';
import { fetchState } from '../../../test/fetching/fetch-state.js';
import { parseConfig } from '../../platform/config.js';
import { intervalOf } from './interval.js';
import { intervalRules } from './interval-rules.js';
import { TIERS, tierOf, tiers } from './tiers.js';

const rules = { policy: tiers, floorSeconds: 60, price: 600 };
const interval = (state: Parameters<typeof fetchState>[0]) => intervalOf(fetchState(state), rules, new Date(0));

describe('tiers', () => {
  it.each([
    [1_000_000, 1, 3],
    [100, 1, 3],
    [99, 2, 5],
    [50, 2, 5],
    [49, 3, 10],
    [20, 3, 10],
    [19, 4, 15],
    [10, 4, 15],
    [9, 5, 30],
    [5, 5, 30],
    [4, 6, 60],
    [2, 6, 60],
    [1, 7, 120],
  ])('%d active followers: priority %d, every %d minutes', (followers, priority, minutes) => {
    expect(tierOf(followers)).toMatchObject({ priority, minutes });
    expect(interval({ activeFollowers: followers })?.seconds).toBe(minutes * 60);
  });

  it('fetches nothing that nobody active follows', () => {
    expect(tierOf(0)).toBeUndefined();
    expect(interval({ activeFollowers: 0 })).toBeUndefined();
  });

  it('are listed from most followers to fewest', () => {
    expect(TIERS.map(({ from }) => from)).toEqual(TIERS.map(({ from }) => from).toSorted((a, b) => b - a));
  });
});

describe('an interval', () => {
  it('is not shorter than the source allows', () => {
    expect(interval({ activeFollowers: 100, allows: { everySeconds: 1_000 } })).toMatchObject({
      seconds: 1_000,
      clamp: 'source',
    });
  });

  it('is not shorter than the floor', () => {
    const slow = { policy: tiers, floorSeconds: 600, price: 600 };
    expect(intervalOf(fetchState({ activeFollowers: 100 }), slow, new Date(0))).toMatchObject({
      seconds: 600,
      clamp: 'floor',
    });
  });

  it('is never longer than a day, whatever the source asks for', () => {
    expect(interval({ allows: { everySeconds: 10_000_000 } })).toMatchObject({ seconds: 86_400 });
    expect(interval({ failures: 50 })).toMatchObject({ seconds: 86_400, clamp: 'back-off' });
  });

  it('doubles with every failure', () => {
    const lengths = [0, 1, 2, 3, 4].map((failures) => interval({ failures })?.seconds);
    expect(lengths).toEqual([7_200, 14_400, 28_800, 57_600, 86_400]);
  });

  it('is minutes after the first failures of a source that has never succeeded, and doubles up to the ceiling', () => {
    const waits = (failures: number, more = {}) => interval({ failures, lastSuccessAt: null, ...more })?.seconds;
    expect([1, 2, 3, 4, 10, 11, 50].map((failures) => waits(failures))).toEqual([
      120, 240, 480, 960, 61_440, 86_400, 86_400,
    ]);
    expect(waits(1, { allows: { everySeconds: 1_000 } })).toBe(1_000);
    expect(waits(1, { activeFollowers: 1_000_000 })).toBe(120);
  });

  it('does not exist for a source that is gone', () => {
    expect(interval({ goneAt: new Date() })).toBeUndefined();
  });
});

describe('the maximum delay of a follower', () => {
  it('bounds an interval from above, and never lengthens one', () => {
    expect(interval({ activeFollowers: 1, maxDelaySeconds: 900 })).toMatchObject({ seconds: 900, clamp: 'max-delay' });
    expect(interval({ activeFollowers: 100, maxDelaySeconds: 900 })).toMatchObject({ seconds: 180, clamp: 'none' });
  });

  it('holds within the floor, what the source allows, and back-off', () => {
    expect(interval({ maxDelaySeconds: 30 })).toMatchObject({ seconds: 60 });
    expect(interval({ maxDelaySeconds: 300, allows: { everySeconds: 1_000 } })).toMatchObject({ seconds: 1_000 });
    expect(interval({ maxDelaySeconds: 300, failures: 2 })).toMatchObject({ seconds: 1_200, clamp: 'back-off' });
  });

  it('gives way where the host of the source is short of requests', () => {
    const limited = { ...rules, hostPrices: new Map([['example.org', 1_000]]) };
    const state = fetchState({ maxDelaySeconds: 300, host: 'example.org' });
    expect(intervalOf(state, limited, new Date(0))).toMatchObject({ seconds: 7_200, hostLimited: true, price: 1_000 });
    expect(intervalOf({ ...state, host: 'example.net' }, limited, new Date(0))).toMatchObject({ seconds: 300 });
  });
});

describe('a source whose hub pushes', () => {
  const safe = { ...rules, safetySeconds: 43_200 };
  const polled = (pushedUntil: Date | null) => intervalOf(fetchState({ pushedUntil }), safe, new Date(0));

  it('is fetched for safety only, while its hub has promised to push', () => {
    expect(polled(new Date(500_000_000))).toMatchObject({ seconds: 43_200, clamp: 'pushed' });
    expect(polled(new Date(20_000_000))).toMatchObject({ seconds: 20_000, clamp: 'pushed' });
  });

  it('is tried again as any other when a fetch has failed', () => {
    const failed = fetchState({ pushedUntil: new Date(500_000_000), failures: 1 });
    expect(intervalOf(failed, safe, new Date(0))).toMatchObject({ seconds: 14_400, clamp: 'back-off' });
  });

  it('is fetched as any other where no hub can reach us', () => {
    const pushed = fetchState({ pushedUntil: new Date(Date.now() + 500_000_000) });
    const by = (env: Record<string, string>) =>
      intervalOf(pushed, intervalRules(parseConfig({ MILLRACE_POLICY: 'tiers', ...env })), new Date());
    expect(by({ MILLRACE_PUBLIC_URL: 'https://millrace.example' })).toMatchObject({ clamp: 'pushed' });
    expect(by({})).toMatchObject({ seconds: 7_200, clamp: 'none' });
  });

  it('is fetched as usual without, or when the promise is about to end', () => {
    expect(polled(null)).toMatchObject({ seconds: 7_200, clamp: 'none' });
    expect(polled(new Date(60_000))).toMatchObject({ seconds: 7_200, clamp: 'none' });
  });
});
