interface Batching {
  most: number;
  /** What has come is handed on after so long, if more comes. */
  everyMs: number;
}

/** Gathers what comes fast, and hands on at once what comes slowly. What came before a failure is handed on before it. */
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
