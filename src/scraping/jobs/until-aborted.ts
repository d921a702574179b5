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

/** Waits for work until the signal aborts, even if the work ignores the signal. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    // The work may have aborted the signal when it began.
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
