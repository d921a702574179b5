import { expect, it } from 'vitest';
import { inBatches } from './in-batches.js';

async function* coming(items: number[], failure?: Error) {
  yield* items;
  if (failure) throw failure;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

it('hands on the first at once, then as many as fit together, then the rest', async () => {
  const batches = await all(inBatches(coming([1, 2, 3, 4, 5, 6]), { most: 3, everyMs: 60_000 }));
  expect(batches).toEqual([[1], [2, 3, 4], [5, 6]]);
});

it('hands on each by itself when they come slowly', async () => {
  expect(await all(inBatches(coming([1, 2, 3]), { most: 10, everyMs: 0 }))).toEqual([[1], [2], [3]]);
});

it('hands on what came before a failure, and then fails', async () => {
  const seen: number[][] = [];
  const reading = async () => {
    for await (const batch of inBatches(coming([1, 2, 3], new Error('over')), { most: 10, everyMs: 60_000 }))
      seen.push(batch);
  };
  await expect(reading()).rejects.toThrow('over');
  expect(seen).toEqual([[1], [2, 3]]);
});
