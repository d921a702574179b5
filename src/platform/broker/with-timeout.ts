/** Fails if the answer does not come in time. A broker that is overloaded, or takes no messages, may not answer at all. */
export function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const fail = () => reject(new Error(`no answer within ${ms / 1_000} seconds`));
    // Where the process itself was held up, an answer that has arrived meanwhile is read first.
    timer = setTimeout(() => setImmediate(fail), ms);
  });
  return Promise.race([answer, tooLate]).finally(() => clearTimeout(timer));
}
