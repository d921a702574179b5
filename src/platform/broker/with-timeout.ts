/** Fails if the promise does not settle in time. An overloaded or blocked broker may never answer. */
export function withTimeout<T>(answer: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const fail = () => reject(new Error(`no answer within ${ms / 1_000} seconds`));
    // If the process itself was blocked, an answer that has arrived meanwhile is read first.
    timer = setTimeout(() => setImmediate(fail), ms);
  });
  return Promise.race([answer, tooLate]).finally(() => clearTimeout(timer));
}
