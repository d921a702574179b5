import { expect, it } from 'vitest';
import { duration } from './duration';

it.each([
  [0, '0 s'],
  [0.4, '0 s'],
  [59.6, '1 min'],
  [190, '3 min 10 s'],
  [3_600, '1 h'],
  [7_530, '2 h 5 min'],
  [90_061, '1 d 1 h'],
  [-5, '0 s'],
])('says %d seconds as %s', (seconds, words) => {
  expect(duration(seconds)).toBe(words);
});
