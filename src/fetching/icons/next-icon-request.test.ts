import { expect, it } from 'vitest';
import { nextIconRequest } from './next-icon-request.js';

const now = new Date('2026-01-01T00:00:00Z');
const hoursUntil = (...args: Parameters<typeof nextIconRequest>) =>
  (nextIconRequest(...args).getTime() - now.getTime()) / 3_600_000;

it('asks a site for its icon again after two weeks, and one without an icon after a month', () => {
  expect(hoursUntil('found', 0, now)).toBe(14 * 24);
  expect(hoursUntil('none', 0, now)).toBe(30 * 24);
});

it('asks a site that fails less and less often, at least once a week', () => {
  expect([1, 2, 3, 7, 8, 9, 1_000].map((failures) => hoursUntil('failed', failures, now))).toEqual([
    1, 2, 4, 64, 128, 168, 168,
  ]);
});
