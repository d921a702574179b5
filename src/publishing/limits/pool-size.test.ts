import { expect, it } from 'vitest';
import { nextPoolSize } from './pool-size.js';

it.each([
  ['grows fast while more than 500 wait', { size: 3, waiting: 501 }, 6],
  ['never exceeds 20', { size: 16, waiting: 10_000 }, 20],
  ['stays as it is while some wait', { size: 12, waiting: 500 }, 12],
  ['shrinks by one when fewer than 50 wait', { size: 12, waiting: 49 }, 11],
  ['keeps its first size while anything waits', { size: 3, waiting: 1 }, 3],
  ['shrinks below it when nothing waits', { size: 3, waiting: 0 }, 2],
  ['never falls below 1', { size: 1, waiting: 0 }, 1],
  ['has its first size again as soon as something waits', { size: 1, waiting: 1 }, 3],
])('a pool %s', (_, { size, waiting }, next) => {
  expect(nextPoolSize(size, waiting, 3)).toBe(next);
});
