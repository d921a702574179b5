import { orAborted } from '../../platform/time/with-timeout.js';

/**
 * Yields items until the signal aborts, even if the source ignores the signal. The source's cleanup is not awaited,
 * because it may never end.
 */
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
