import { expect, it } from 'vitest';
import { nextPacificMidnight } from './pacific-midnight.js';

it.each([
  ['2030-07-01T06:59:59.900Z', '2030-07-01T07:00:00.000Z'],
  ['2030-07-01T07:00:00.000Z', '2030-07-02T07:00:00.000Z'],
  ['2030-12-31T20:15:10.500Z', '2031-01-01T08:00:00.000Z'],
  // 2030-03-10 has 23 hours there, 2030-11-03 has 25.
  ['2030-03-10T09:00:00.000Z', '2030-03-11T07:00:00.000Z'],
  ['2030-03-10T12:00:00.000Z', '2030-03-11T07:00:00.000Z'],
  ['2030-11-03T07:30:00.000Z', '2030-11-04T08:00:00.000Z'],
  ['2030-11-03T20:00:00.000Z', '2030-11-04T08:00:00.000Z'],
])('after %s comes midnight at %s', (now, midnight) => {
  expect(nextPacificMidnight(new Date(now)).toISOString()).toBe(midnight);
});
