import { expect, it } from 'vitest';
import { Batcher } from './batcher.js';

it('answers each call with its own result, and gathers those that come at once or while one is under way', async () => {
  const batches: number[][] = [];
  const doubled = new Batcher(async (numbers: number[]) => {
    batches.push(numbers);
    if (batches.length === 1) later.push(doubled.call(3), doubled.call(4));
    return numbers.map((number) => number * 2);
  });
  const later: Promise<number>[] = [];
  expect(await Promise.all([1, 2].map((number) => doubled.call(number)))).toEqual([2, 4]);
  expect(await Promise.all(later)).toEqual([6, 8]);
  expect(batches).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

it('tells everybody in a batch that it failed, and goes on with the next', async () => {
  const picky = new Batcher(async (numbers: number[]) => {
    if (numbers.includes(2)) throw new Error('no twos');
    return numbers;
  });
  const results = await Promise.allSettled([1, 2, 3].map((number) => picky.call(number)));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(await picky.call(4)).toBe(4);
});
