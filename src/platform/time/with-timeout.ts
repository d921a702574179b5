/** Fails, or returns what `onTimeout` does. The work behind the promise continues. */
export function withTimeout<T>(promise: Promise<T>, ms: number, onTimeout?: () => T | Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve, reject) => {
    const end = () => (onTimeout ? resolve(onTimeout()) : reject(new Error(`no answer within ${ms / 1_000} seconds`)));
    // If the process itself was blocked, an answer that has arrived meanwhile is read first.
    timer = setTimeout(() => setImmediate(end), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Fails, or returns what `onAbort` does, even if the work behind the promise ignores the signal. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal, onAbort?: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => (onAbort ? resolve(onAbort()) : reject(signal.reason));
    // The work may have aborted the signal when it began.
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}
