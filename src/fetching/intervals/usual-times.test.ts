import { expect, it } from 'vitest';
import { usualTimes } from './usual-times.js';

const even = {
  hours: Array(24).fill(10),
  watchedHours: Array(24).fill(7_000),
  weekdays: Array(7).fill(30),
  watchedWeekdays: Array(7).fill(24_000),
};
const at = (hours: Record<number, number>) => Array.from({ length: 24 }, (_, hour) => hours[hour] ?? 0);

it('says nothing of a source that posts at all times, or of which little is known', () => {
  expect(usualTimes(even)).toEqual([]);
  expect(usualTimes({ ...even, hours: at({ 8: 3 }), weekdays: [0, 3, 0, 0, 0, 0, 0] })).toEqual([]);
});

it('says nothing of hours and days where some were hardly watched', () => {
  const once = { ...even, hours: at({ 8: 30, 9: 40 }), weekdays: [0, 70, 0, 0, 0, 0, 0] };
  const watchedHours = at({ 8: 3_600, 9: 3_600 });
  expect(usualTimes({ ...once, watchedHours, watchedWeekdays: [0, 7_200, 0, 0, 0, 0, 0] })).toEqual([]);
});

it('names the hours with most of the posts, also around midnight', () => {
  expect(usualTimes({ ...even, hours: at({ 8: 30, 9: 40, 10: 20, 15: 5 }) })).toEqual(['mostly between 8 and 11 UTC']);
  expect(usualTimes({ ...even, hours: at({ 23: 30, 0: 40, 1: 20 }) })).toEqual(['mostly between 23 and 2 UTC']);
});

it('names the days without posts, or the few with them', () => {
  expect(usualTimes({ ...even, weekdays: [0, 30, 30, 30, 30, 30, 1] })).toEqual(['rarely on Sundays and Saturdays']);
  expect(usualTimes({ ...even, weekdays: [0, 30, 0, 0, 20, 0, 0] })).toEqual(['mostly on Mondays and Thursdays']);
});
