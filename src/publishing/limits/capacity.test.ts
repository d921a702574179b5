import { describe, expect, it } from 'vitest';
import { capacityWithin, tighter } from './capacity.js';
import { PlatformCalls } from './platform-slots.store.js';

const limit = { most: 3, windowMs: 10_000 };

describe('the capacity within a limit', () => {
  it('is endless without one', () => {
    expect(capacityWithin(undefined, { underWay: 1_000, endedMsAgo: [] }).now).toBe(Number.POSITIVE_INFINITY);
  });

  it('is what calls under way and those that ended within the window leave', () => {
    expect(capacityWithin(limit, { underWay: 1, endedMsAgo: [9_999] })).toEqual({ now: 1, nextInMs: undefined });
    expect(capacityWithin(limit, { underWay: 1, endedMsAgo: [10_002] })).toEqual({ now: 2, nextInMs: undefined });
  });

  it('comes back when the oldest call has left the window, both its ends included', () => {
    expect(capacityWithin(limit, { underWay: 0, endedMsAgo: [8_000, 5_000, 1_000] })).toEqual({
      now: 0,
      nextInMs: 2_001,
    });
    expect(capacityWithin(limit, { underWay: 0, endedMsAgo: [10_000, 5_000, 1_000] })).toEqual({ now: 0, nextInMs: 1 });
  });

  it('comes back later if the limit was lowered meanwhile', () => {
    const ended = [9_000, 8_000, 7_000, 6_000, 5_000];
    expect(capacityWithin(limit, { underWay: 0, endedMsAgo: ended })).toEqual({ now: 0, nextInMs: 3_001 });
  });

  it('comes back at a time that nobody knows if it depends on calls under way', () => {
    expect(capacityWithin(limit, { underWay: 3, endedMsAgo: [] })).toEqual({ now: 0, nextInMs: undefined });
    expect(capacityWithin(limit, { underWay: 4, endedMsAgo: [9_000] })).toEqual({ now: 0, nextInMs: undefined });
  });
});

describe('of two limits', () => {
  it('the tighter one counts', () => {
    expect(tighter({ now: 5, nextInMs: undefined }, { now: 2, nextInMs: undefined }).now).toBe(2);
  });

  it('both must have capacity again', () => {
    expect(tighter({ now: 0, nextInMs: 10 }, { now: 0, nextInMs: 500 })).toEqual({ now: 0, nextInMs: 500 });
    expect(tighter({ now: 0, nextInMs: 10 }, { now: 0, nextInMs: undefined }).nextInMs).toBeUndefined();
    expect(tighter({ now: 0, nextInMs: 10 }, { now: 4, nextInMs: undefined })).toEqual({ now: 0, nextInMs: 10 });
  });
});

describe('the next moment with more capacity', () => {
  const ended = (...endedMsAgo: number[]) => ({ underWay: 0, endedMsAgo });
  const calls = (limits: { platform?: typeof limit; user?: typeof limit }) =>
    new PlatformCalls(
      { platform: limits.platform, user: limits.user },
      new Map([
        ['1', ended(9_000, 8_000)],
        ['2', ended(7_000)],
      ]),
    );

  it("is when a platform's oldest call leaves the window, if it has no capacity", () => {
    expect(calls({ platform: limit }).nextCapacityInMs()).toBe(1_001);
  });

  it('counts posts that are handed out as if they had their capacity', () => {
    const wider = calls({ platform: { ...limit, most: 5 } });
    expect(wider.nextCapacityInMs()).toBeUndefined();
    wider.add('1', 2);
    expect(wider.nextCapacityInMs()).toBe(1_001);
    wider.add('2');
    expect(wider.nextCapacityInMs()).toBe(2_001);
  });

  it('is that of the first user without capacity, if the platform has some', () => {
    const each = calls({ user: limit });
    each.add('2', 2);
    expect(each.nextCapacityInMs()).toBe(3_001);
    each.add('1');
    expect(each.nextCapacityInMs()).toBe(1_001);
  });
});
