import { expect, it } from 'vitest';
import { robotsWishes } from './robots-wishes.js';

it.each([
  ['noindex', true, false],
  ['NoIndex , NOFOLLOW', true, true],
  ['none', true, true],
  ['nofollow', false, true],
  ['all', false, false],
  ['', false, false],
  ['googlebot: noindex, nofollow', false, false],
  ['millrace: noindex', true, false],
  ['otherbot: nofollow, millrace: noindex', true, false],
  ['unavailable_after: 25 Jun 2030 15:00:00 PST, noindex', true, false],
  ['max-snippet:5, nofollow', false, true],
  ['noindexed', false, false],
])('%j asks not to be kept: %j, not to be followed: %j', (header, noIndex, noFollow) => {
  expect(robotsWishes(header)).toEqual({ noIndex, noFollow });
});
