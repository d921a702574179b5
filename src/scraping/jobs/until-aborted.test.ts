import { expect, it } from 'vitest';
import { untilAborted } from './until-aborted.js';

const never = new Promise<never>(() => undefined);

async function read<T>(items: AsyncIterable<T>, seen: T[] = []): Promise<T[]> {
  for await (const item of items) seen.push(item);
  return seen;
}

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
