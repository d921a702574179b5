import { orAborted } from './or-aborted.js';

/**
 * What comes, until the signal aborts: whoever brings it may ignore that, or may just end. Neither is their cleanup waited
 * for, which may never be done.
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
    // Nobody is left whom it would concern that the cleanup has failed.
    iterator.return?.().catch(() => undefined);
  }
}
