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

/** Waits for some work until the signal aborts, and no longer, whatever the work makes of that. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    // The work may have aborted it itself, as it began.
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
