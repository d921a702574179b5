import { describe, expect, it } from 'vitest';
import { expiryOf, nextAttemptAt, nextLookAt, openAgainAt } from './next-attempt.js';

const now = new Date('2026-03-01T12:00:00Z');
const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

describe('the next try', () => {
  it('is a minute after the first, two after the second, and there is no fourth', () => {
    expect(nextAttemptAt(1, now)).toEqual(inMinutes(1));
    expect(nextAttemptAt(2, now)).toEqual(inMinutes(2));
    expect(nextAttemptAt(3, now)).toBeUndefined();
  });
});

describe('a platform that asks to wait', () => {
  it('is asked again when it says', () => expect(openAgainAt(inMinutes(3), now)).toEqual(inMinutes(3)));
  it('or in a quarter of an hour, if it does not say or says nonsense', () => {
    expect(openAgainAt(undefined, now)).toEqual(inMinutes(15));
    expect(openAgainAt(inMinutes(-1), now)).toEqual(inMinutes(15));
  });
});

describe('a post whose fate is not known', () => {
  it('is looked for soon at first, then more seldom', () => {
    const pauses = [0, 20, 120, 700, 10_000].map((seconds) => {
      const intendedAt = new Date(now.getTime() - seconds * 1_000);
      return ((nextLookAt(intendedAt, now)?.getTime() ?? 0) - now.getTime()) / 1_000;
    });
    expect(pauses).toEqual([10, 10, 60, 300, 1_800]);
  });

  it('is left to a person after a day', () => expect(nextLookAt(inMinutes(-24 * 60 - 1), now)).toBeUndefined());
});

describe('a post', () => {
  const day = 86_400_000;

  it('is published until its grace is over', () => {
    expect(expiryOf({ scheduledAt: inMinutes(-24 * 60 + 1), expiresAt: null }, day, now)).toBeUndefined();
    expect(expiryOf({ scheduledAt: inMinutes(-24 * 60), expiresAt: null }, day, now)).toContain('too long ago');
  });

  it('is not published after its own time is over', () => {
    expect(expiryOf({ scheduledAt: now, expiresAt: inMinutes(1) }, day, now)).toBeUndefined();
    expect(expiryOf({ scheduledAt: inMinutes(-2), expiresAt: now }, day, now)).toContain('2026-03-01T12:00:00.000Z');
  });
});
