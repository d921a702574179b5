import { expect, it } from 'vitest';
import { afterSkippedTimes } from './skipped-times.js';

// This day is a Sunday.
const at = new Date('2026-05-03T02:20:00Z');

it.each([
  ['nothing skipped', {}, '2026-05-03T02:20:00.000Z'],
  ['another hour', { skipHours: [3] }, '2026-05-03T02:20:00.000Z'],
  ['this hour and the next', { skipHours: [2, 3] }, '2026-05-03T04:00:00.000Z'],
  ['this day', { skipDays: [0] }, '2026-05-04T00:00:00.000Z'],
  ['this day and the first hour of the next', { skipDays: [0], skipHours: [0] }, '2026-05-04T01:00:00.000Z'],
  ['every day of the week', { skipDays: [0, 1, 2, 3, 4, 5, 6] }, '2026-05-03T02:20:00.000Z'],
])('moves a time out of what a source skips: %s', (_what, allows, expected) => {
  expect(afterSkippedTimes(at, allows).toISOString()).toBe(expected);
});
