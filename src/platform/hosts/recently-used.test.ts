import { expect, it } from 'vitest';
import { leftForPlanned, usedLastMinute } from './recently-used.js';

const countedIn = new Date('2026-05-01T12:00:00Z');
const counts = { countedIn, used: 20, usedBefore: 40, others: 10, othersBefore: 4 };
const at = (seconds: number) => new Date(countedIn.getTime() + seconds * 1_000);

it('a minute’s requests are those since it began, and of the one before what is not a minute old', () => {
  expect(usedLastMinute(counts, at(0))).toEqual({ used: 60, others: 14 });
  expect(usedLastMinute(counts, at(30))).toEqual({ used: 40, others: 12 });
  expect(usedLastMinute(counts, at(75))).toEqual({ used: 15, others: 8 });
  expect(usedLastMinute(counts, at(120))).toEqual({ used: 0, others: 0 });
});

it('schedules may count on what others leave, and on a fifth at least', () => {
  expect(leftForPlanned({ ...counts, perMinute: 60 }, at(30))).toBe(48);
  expect(leftForPlanned({ ...counts, perMinute: 10 }, at(30))).toBe(2);
});
