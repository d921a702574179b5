import { expect, it } from 'vitest';
import { nextPoolSize } from './pool-size.js';

it.each([
  [3, 501, 4],
  [3, 500, 3],
  [3, 50, 3],
  [3, 49, 2],
  [1, 0, 1],
  [20, 10_000, 20],
])('a pool of %i with %i waiting becomes one of %i', (size, waiting, next) =>
  expect(nextPoolSize(size, waiting)).toBe(next),
);
