import { describe, expect, it } from 'vitest';
import {
  firstLimit,
  fullMinuteSince,
  headerChanges,
  loweredLimit,
  pauseAfterRefusal,
  takenForSure,
} from './learned-limit.js';

const now = new Date('2026-05-01T12:00:30Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
const inSeconds = (seconds: number) => ago(-seconds);

describe('the full minute of a host that refuses', () => {
  it('began a minute before the end that it tells, which is rounded up', () => {
    const between = (from: number, to: number) => ({ earliest: ago(from).getTime(), latest: ago(to).getTime() });
    expect(fullMinuteSince(inSeconds(60), now)).toEqual(between(1, 0));
    expect(fullMinuteSince(inSeconds(58), now)).toEqual(between(3, 2));
    expect(fullMinuteSince(inSeconds(20), now)).toEqual(between(41, 40));
  });

  it.each([undefined, inSeconds(0), inSeconds(3_600)])('is not told by %s', (retryAfter) =>
    expect(fullMinuteSince(retryAfter, now).earliest).toBeGreaterThan(now.getTime()),
  );

  it('held what was sent since then, or half of the last minute if that is more', () => {
    expect(takenForSure({ since: 60, surely: 0, lastMinute: 80 })).toBe(60);
    expect(takenForSure({ since: 1, surely: 0, lastMinute: 81 })).toBe(40);
  });

  it('did not hold what may have been sent before it began, unless there is next to nothing else', () => {
    expect(takenForSure({ since: 80, surely: 60, lastMinute: 80 })).toBe(60);
    expect(takenForSure({ since: 60, surely: 9, lastMinute: 60 })).toBe(60);
  });
});

describe('a host without a limit gets', () => {
  it('the number that it took', () => expect(firstLimit(60, false)).toBe(60));
  it('none after a few requests, which may be one sick path', () => expect(firstLimit(2, false)).toBeUndefined());
  it('a small one if a second path is refused', () => expect(firstLimit(2, true)).toBe(10));
});

describe('a host that refuses although its limit was kept', () => {
  const known = (perMinute: number, seconds: number, origin: 'refusal' | 'header' = 'refusal') => ({
    perMinute,
    origin,
    seenAt: ago(seconds),
  });
  const lowered = (limit: ReturnType<typeof known>, used: number, isSecond = false) =>
    loweredLimit(limit, { used, isSecond }, now);

  it('gets a fifth less, however much of it was used', () => {
    expect(lowered(known(60, 90_000), 60)).toBe(48);
    expect(lowered(known(60, 90_000), 40)).toBe(48);
  });
  it('gets less than a few only if it refuses again and again', () => {
    expect(lowered(known(10, 90_000), 5)).toBe(10);
    expect(lowered(known(10, 600, 'header'), 5)).toBe(10);
    expect(lowered(known(10, 600), 5)).toBe(8);
    expect(lowered(known(1, 600), 1)).toBe(1);
  });
  it('keeps it where little was sent, which may be one sick path', () => {
    expect(lowered(known(300, 600, 'header'), 1)).toBeUndefined();
    expect(lowered(known(300, 600), 149)).toBeUndefined();
  });
  it('gets a fifth less if a second path is refused where little was sent, but not less than a few', () => {
    expect(lowered(known(300, 600), 1, true)).toBe(240);
    expect(lowered(known(11, 600), 1, true)).toBe(10);
    expect(lowered(known(4, 600), 1, true)).toBe(4);
  });
});

describe('after a refusal the announced limit of a host is kept', () => {
  const pause = (windowSeconds: number, told?: number) =>
    pauseAfterRefusal(windowSeconds * 1_000, told === undefined ? undefined : inSeconds(told), now) / 1_000;
  it('until all that was sent is forgotten', () =>
    expect([pause(2), pause(60, 5), pause(3_600)]).toEqual([2, 60, 3_600]));
  it('no longer than it says, but for a minute', () =>
    expect([pause(3_600, 30), pause(3_600, 600)]).toEqual([60, 600]));
});

it.each([
  ['the first one', undefined, 60, true],
  ['a stricter one', { perMinute: 100, origin: 'header', seenAt: ago(60) }, 60, true],
  ['the same again', { perMinute: 60, origin: 'header', seenAt: ago(60) }, 60, false],
  ['a laxer one, of another path', { perMinute: 60, origin: 'header', seenAt: ago(60) }, 600, false],
  ['a laxer one, a day later', { perMinute: 60, origin: 'header', seenAt: ago(90_000) }, 600, true],
  ['the same again, an hour later', { perMinute: 60, origin: 'header', seenAt: ago(4_000) }, 60, true],
  ['more than was refused', { perMinute: 30, origin: 'refusal', seenAt: ago(80_000) }, 60, false],
  ['more than was refused, a day later', { perMinute: 30, origin: 'refusal', seenAt: ago(90_000) }, 60, true],
  ['less than was refused', { perMinute: 30, origin: 'refusal', seenAt: ago(60) }, 20, true],
  ['what an administrator knows better', { perMinute: 30, origin: 'set', seenAt: ago(90_000) }, 20, false],
  ['what the operator knows better', { perMinute: 30, origin: 'environment', seenAt: ago(90_000) }, 20, false],
] as const)('a header counts or not: %s', (_, known, perMinute, counts) =>
  expect(headerChanges(known, perMinute, now)).toBe(counts),
);
