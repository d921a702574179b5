interface Batching {
  most: number;
  /** A batch is passed on when an item arrives this long (ms) after the previous batch. */
  everyMs: number;
}

/**
 * Batches items that arrive quickly and passes slow ones on at once. Items that arrived before a failure are passed
 * on before it.
 */
export async function* inBatches<T>(items: AsyncIterable<T>, { most, everyMs }: Batching): AsyncGenerator<T[]> {
  let batch: T[] = [];
  let handedOnAt = Number.NEGATIVE_INFINITY;
  try {
    for await (const item of items) {
      batch.push(item);
      if (batch.length < most && performance.now() - handedOnAt < everyMs) continue;
      yield batch;
      batch = [];
      handedOnAt = performance.now();
    }
  } catch (error) {
    if (batch.length) yield batch;
    throw error;
  }
  if (batch.length) yield batch;
}
