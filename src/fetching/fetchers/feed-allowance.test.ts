import { describe, expect, it } from 'vitest';
import { feedAllowance } from './feed-allowance.js';

const now = new Date('2026-01-01T00:00:00Z');
const seconds = (headers: Record<string, string>, everySeconds?: number) =>
  feedAllowance(headers, { everySeconds }, now).everySeconds;

describe('how often a feed may be asked', () => {
  it.each([
    [{ 'cache-control': 'max-age=600' }, 600],
    [{ 'cache-control': 'public, max-age=600, s-maxage=900' }, 900],
    [{ 'cache-control': 'MAX-AGE="600"', age: '100' }, 500],
    [{ 'cache-control': 'max-age=600, no-cache' }, undefined],
    [{ 'cache-control': 'no-store, max-age=600' }, undefined],
    [{ 'cache-control': 'private', expires: 'Thu, 01 Jan 2026 01:00:00 GMT' }, 3_600],
    [{ expires: 'Thu, 01 Jan 2026 01:00:00 GMT' }, 3_600],
    [{ expires: 'Thu, 01 Jan 2026 01:00:00 GMT', date: 'Thu, 01 Jan 2026 00:30:00 GMT' }, 1_800],
    [{ 'cache-control': 'no-cache', expires: 'Thu, 01 Jan 2026 01:00:00 GMT' }, undefined],
    [{ expires: '0' }, undefined],
    [{ expires: 'Wed, 31 Dec 2025 00:00:00 GMT' }, undefined],
    [{ 'cache-control': 'max-age=31536000' }, 86_400],
    [{}, undefined],
  ])('by %o is %s', (headers, expected) => expect(seconds(headers as Record<string, string>)).toBe(expected));

  it('is the longer of what the server and the feed say, but never more than a day', () => {
    expect(seconds({ 'cache-control': 'max-age=600' }, 3_600)).toBe(3_600);
    expect(seconds({ 'cache-control': 'max-age=7200' }, 3_600)).toBe(7_200);
    expect(seconds({}, 1_000_000)).toBe(86_400);
  });

  it('keeps the hours and days to leave out', () => {
    expect(feedAllowance({}, { skipHours: [1], skipDays: [0] }, now)).toMatchObject({ skipHours: [1], skipDays: [0] });
  });
});
