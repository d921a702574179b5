import { describe, expect, it } from 'vitest';
import { firstLimit, fullMinuteSince, headerChanges, loweredLimit, takenForSure } from './learned-limit.js';

const now = new Date('2026-05-01T12:00:30Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
const inSeconds = (seconds: number) => ago(-seconds);

describe('the full minute of a host that refuses', () => {
  it('began a minute before the end that it tells, which is rounded up', () => {
    expect(fullMinuteSince(inSeconds(60), now)).toBe(ago(1).getTime());
    expect(fullMinuteSince(inSeconds(58), now)).toBe(ago(3).getTime());
    expect(fullMinuteSince(inSeconds(20), now)).toBe(ago(41).getTime());
  });

  it.each([undefined, inSeconds(0), inSeconds(3_600)])('is not told by %s', (retryAfter) =>
    expect(fullMinuteSince(retryAfter, now)).toBeGreaterThan(now.getTime()),
  );

  it('held what was sent since then, or half of the last minute if that is more', () => {
    expect(takenForSure({ since: 60, lastMinute: 80 })).toBe(60);
    expect(takenForSure({ since: 1, lastMinute: 81 })).toBe(40);
  });
});

describe('a host without a limit gets', () => {
  it('the number that it took', () => expect(firstLimit(60, false)).toBe(60));
  it('none after a few requests, which may be one sick path', () => expect(firstLimit(2, false)).toBeUndefined());
  it('a small one if a second path is refused', () => expect(firstLimit(2, true)).toBe(10));
});

describe('a host that refuses although its limit was kept', () => {
  const known = (perMinute: number, seconds: number) => ({
    perMinute,
    origin: 'refusal' as const,
    learnedAt: ago(seconds),
  });
  it('gets a fifth less', () => expect(loweredLimit(known(60, 90_000), 60, now)).toBe(48));
  it('gets less than it took before it refused', () => expect(loweredLimit(known(60, 90_000), 40, now)).toBe(32));
  it('gets less than a few only if that was learned lately', () => {
    expect(loweredLimit(known(10, 90_000), 5, now)).toBe(10);
    expect(loweredLimit(known(10, 600), 5, now)).toBe(4);
    expect(loweredLimit(known(1, 600), 1, now)).toBe(1);
  });
});

it.each([
  ['the first one', undefined, 60, true],
  ['a stricter one', { perMinute: 100, origin: 'header', learnedAt: ago(60) }, 60, true],
  ['the same again', { perMinute: 60, origin: 'header', learnedAt: ago(60) }, 60, false],
  ['a laxer one, of another path', { perMinute: 60, origin: 'header', learnedAt: ago(60) }, 600, false],
  ['a laxer one, a day later', { perMinute: 60, origin: 'header', learnedAt: ago(90_000) }, 600, true],
  ['more than was refused', { perMinute: 30, origin: 'refusal', learnedAt: ago(90_000) }, 60, false],
  ['less than was refused', { perMinute: 30, origin: 'refusal', learnedAt: ago(60) }, 20, true],
  ['what an administrator knows better', { perMinute: 30, origin: 'set', learnedAt: ago(90_000) }, 20, false],
  ['what the operator knows better', { perMinute: 30, origin: 'environment', learnedAt: ago(90_000) }, 20, false],
] as const)('a header counts or not: %s', (_, known, perMinute, counts) =>
  expect(headerChanges(known, perMinute, now)).toBe(counts),
);
