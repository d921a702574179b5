import { expect, it } from 'vitest';
import { announcedLimit, resetAt } from './announced-limit.js';

const now = new Date('2030-01-01T00:00:00Z');
const inAnHour = new Date('2030-01-01T01:00:00Z');

it.each([
  ['2030-01-01T01:00:00.000000Z', inAnHour],
  [String(inAnHour.getTime() / 1000), inAnHour],
  ['2020-01-01T00:00:00Z', now],
  ['2040-01-01T00:00:00Z', new Date('2030-01-02T00:00:00Z')],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
])('a reset at %j is at %s', (text, at) => {
  expect(resetAt(text, now)).toEqual(at);
});

it('a limit is known from the remaining requests and its reset time, or not at all', () => {
  const reset = '2030-01-01T01:00:00Z';
  expect(announcedLimit('7', reset, now)).toEqual({ remaining: 7, until: inAnHour });
  for (const left of [undefined, '', 'NaN', '-1', '1.5']) expect(announcedLimit(left, reset, now)).toBeUndefined();
  expect(announcedLimit('7', undefined, now)).toBeUndefined();
});
