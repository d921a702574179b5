import { describe, expect, it } from 'vitest';
import { inBatches, inParallel, untilAborted } from './async-iteration.js';

async function read<T>(items: AsyncIterable<T>, seen: T[] = []): Promise<T[]> {
  for await (const item of items) seen.push(item);
  return seen;
}

describe('untilAborted', () => {
  const never = new Promise<never>(() => undefined);

  it('hands on all that comes, and its end', async () => {
    async function* three() {
      yield* [1, 2, 3];
    }
    expect(await read(untilAborted(three(), new AbortController().signal))).toEqual([1, 2, 3]);
  });

  it('ends with the reason of the abort, although nothing comes any more', async () => {
    const stop = new AbortController();
    async function* deaf() {
      yield 1;
      stop.abort(new Error('enough'));
      await never;
    }
    const seen: number[] = [];
    await expect(read(untilAborted(deaf(), stop.signal), seen)).rejects.toThrow('enough');
    expect(seen).toEqual([1]);
  });

  it('does not take an end that follows an abort for the end of all there is', async () => {
    const stop = new AbortController();
    async function* obedient() {
      yield 1;
      stop.abort(new Error('enough'));
    }
    await expect(read(untilAborted(obedient(), stop.signal))).rejects.toThrow('enough');
  });

  it('has the items cleaned up when no more are wanted, and does not wait for it', async () => {
    let cleaning = false;
    async function* messy() {
      try {
        for (;;) yield 1;
      } finally {
        cleaning = true;
        await never;
      }
    }
    for await (const _ of untilAborted(messy(), new AbortController().signal)) break;
    expect(cleaning).toBe(true);
  });
});

describe('inBatches', () => {
  async function* coming(items: number[], failure?: Error) {
    yield* items;
    if (failure) throw failure;
  }

  it('hands on the first at once, then as many as fit together, then the rest', async () => {
    const batches = await read(inBatches(coming([1, 2, 3, 4, 5, 6]), { maxItems: 3, intervalMs: 60_000 }));
    expect(batches).toEqual([[1], [2, 3, 4], [5, 6]]);
  });

  it('hands on each by itself when they come slowly', async () => {
    expect(await read(inBatches(coming([1, 2, 3]), { maxItems: 10, intervalMs: 0 }))).toEqual([[1], [2], [3]]);
  });

  it('hands on what came before a failure, and then fails', async () => {
    const seen: number[][] = [];
    const reading = async () => {
      for await (const batch of inBatches(coming([1, 2, 3], new Error('over')), { maxItems: 10, intervalMs: 60_000 }))
        seen.push(batch);
    };
    await expect(reading()).rejects.toThrow('over');
    expect(seen).toEqual([[1], [2, 3]]);
  });
});

describe('inParallel', () => {
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
    await expect(read(inParallel([1, 2, 3], 3, work))).rejects.toThrow('broken');
    expect(await read(inParallel([], 3, work))).toEqual([]);
  });
});
