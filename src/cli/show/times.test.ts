import { expect, it } from 'vitest';
import { fromNow } from './times.js';

const now = new Date('2027-03-29T12:00:00Z');

it.each([
  ['2027-03-29T11:59:59.500Z', 'now'],
  ['2027-03-29T11:59:15Z', '45 s ago'],
  ['2027-03-29T11:01:00Z', '59 min ago'],
  ['2027-03-29T14:30:00Z', 'in 2 h'],
  ['2027-03-20T12:00:00Z', '9 d ago'],
  [null, undefined],
])('tells %s as %s', (moment, told) => {
  expect(fromNow(moment, now)).toBe(told);
});
