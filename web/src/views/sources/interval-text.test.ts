import { expect, it } from 'vitest';
import { intervalText } from './interval-text';

it.each([
  [1, 'every second'],
  [45, 'every 45 seconds'],
  [60, 'every minute'],
  [90, 'every 90 seconds'],
  [3_600, 'every hour'],
  [5_400, 'every 90 minutes'],
  [7_200, 'every 2 hours'],
  [86_400, 'every day'],
  [604_800, 'every 7 days'],
  [0, 'every second'],
  [null, 'not scheduled'],
])('says %o seconds as "%s"', (seconds, words) => {
  expect(intervalText(seconds)).toBe(words);
});
