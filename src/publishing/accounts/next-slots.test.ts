import { expect, it } from 'vitest';
import { toWallClock } from '../publications/wall-clock.js';
import { nextSlots } from './next-slots.js';

const WORKDAYS = [1, 2, 3, 4, 5];
const EVERY_DAY = [...WORKDAYS, 6, 7];

function shown(times: { days: number[]; time: string }[], from: string, count: number, timezone = 'Europe/Berlin') {
  const slots = nextSlots({ timezone, times }, new Date(from));
  return [...slots].slice(0, count).map((slot) => toWallClock(slot, timezone));
}

it('goes through days and times in order, whatever the order of the rules', () => {
  const times = [
    { days: WORKDAYS, time: '17:00' },
    { days: WORKDAYS, time: '09:00' },
    { days: [6], time: '12:00' },
  ];
  // A Friday, ten o'clock in Berlin.
  expect(shown(times, '2026-07-03T08:00:00Z', 4)).toEqual([
    '2026-07-03T17:00',
    '2026-07-04T12:00',
    '2026-07-06T09:00',
    '2026-07-06T17:00',
  ]);
});

it('leaves out the very moment from which it looks', () => {
  expect(shown([{ days: EVERY_DAY, time: '10:00' }], '2026-07-03T08:00:00Z', 1)).toEqual(['2026-07-04T10:00']);
});

it('keeps to the clock on the wall when clocks change', () => {
  const slots = [
    ...nextSlots(
      { timezone: 'Europe/Berlin', times: [{ days: EVERY_DAY, time: '09:00' }] },
      new Date('2026-03-28T00:00:00Z'),
    ),
  ];
  expect(slots.slice(0, 2).map((slot) => slot.toISOString())).toEqual([
    '2026-03-28T08:00:00.000Z',
    '2026-03-29T07:00:00.000Z',
  ]);
});

it('makes one slot of two that clocks moved to the same moment, and of two rules for one', () => {
  const times = ['02:30', '03:30', '03:30'].map((time) => ({ days: [7], time }));
  expect(shown(times, '2026-03-28T12:00:00Z', 3)).toEqual(['2026-03-29T03:30', '2026-04-05T02:30', '2026-04-05T03:30']);
});

it('ends after a year', () => {
  expect(shown([{ days: [1], time: '09:00' }], '2026-07-03T08:00:00Z', 1_000)).toHaveLength(52);
});
