import { expect, it } from 'vitest';
import { nextTryAfterMs } from './alert-notices.js';

it('waits twice as long each time, up to a quarter of an hour', () => {
  const waits = [1, 2, 3, 8, 9, 50].map((attempts) => nextTryAfterMs({ attempts, ageMs: 0 }));
  expect(waits).toEqual([5_000, 10_000, 20_000, 640_000, 900_000, 900_000]);
});

it('gives up after a day', () => {
  expect(nextTryAfterMs({ attempts: 99, ageMs: 86_399_999 })).toBe(900_000);
  expect(nextTryAfterMs({ attempts: 99, ageMs: 86_400_000 })).toBeUndefined();
});
