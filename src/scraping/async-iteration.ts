import { orAborted } from '../platform/time/with-timeout.js';

/** Yields until the signal aborts, even if the source ignores it. Its cleanup is not awaited, as it may never end. */
export async function* untilAborted<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await orAborted(iterator.next(), signal);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // The consumer is gone, so a failed cleanup is ignored.
    iterator.return?.().catch(() => undefined);
  }
}

interface BatchLimits {
  maxItems: number;
  /** A batch is passed on when an item arrives this long (ms) after the previous batch. */
  intervalMs: number;
}

/** Passes slow items on at once. Items that arrived before a failure are passed on before it. */
export async function* inBatches<T>(
  items: AsyncIterable<T>,
  { maxItems, intervalMs }: BatchLimits,
): AsyncGenerator<T[]> {
  let batch: T[] = [];
  let passedOnAt = Number.NEGATIVE_INFINITY;
  try {
    for await (const item of items) {
      batch.push(item);
      if (batch.length < maxItems && performance.now() - passedOnAt < intervalMs) continue;
      yield batch;
      batch = [];
      passedOnAt = performance.now();
    }
  } catch (error) {
    if (batch.length) yield batch;
    throw error;
  }
  if (batch.length) yield batch;
}

/** Results are yielded as they arrive. */
export async function* inParallel<Item, Result>(
  items: Iterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const waiting = items[Symbol.iterator]();
  const running = new Set<Promise<() => Result>>();
  for (;;) {
    while (running.size < concurrency) {
      const next = waiting.next();
      if (next.done) break;
      const run: Promise<() => Result> = work(next.value).then((result) => () => {
        running.delete(run);
        return result;
      });
      running.add(run);
    }
    if (!running.size) return;
    const finish = await Promise.race(running);
    yield finish();
  }
}
