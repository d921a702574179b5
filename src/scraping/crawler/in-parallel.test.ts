import { expect, it } from 'vitest';
import { inParallel } from './in-parallel.js';

async function all<T>(results: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of results) found.push(one);
  return found;
}

it('gives what is done first first, and never has more under way than allowed', async () => {
  const ends = new Map<number, () => void>();
  let most = 0;
  const results = inParallel([1, 2, 3, 4], 2, (item) => {
    const done = new Promise<number>((resolve) => ends.set(item, () => resolve(item)));
    most = Math.max(most, ends.size);
    return done.finally(() => ends.delete(item));
  });
  const seen: number[] = [];
  for (const item of [2, 1, 4, 3]) {
    const next = results.next();
    await Promise.resolve();
    ends.get(item)?.();
    seen.push((await next).value);
  }
  expect(seen).toEqual([2, 1, 4, 3]);
  expect((await results.next()).done).toBe(true);
  expect(most).toBe(2);
});

it('fails with the first failure', async () => {
  const work = async (item: number) => {
    if (item === 2) throw new Error('broken');
    return item;
  };
  await expect(all(inParallel([1, 2, 3], 3, work))).rejects.toThrow('broken');
  expect(await all(inParallel([], 3, work))).toEqual([]);
});
