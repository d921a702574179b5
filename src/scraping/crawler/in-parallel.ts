/** Runs work for each item, at most `most` at a time, and yields results as they arrive. */
export async function* inParallel<Item, Result>(
  items: Iterable<Item>,
  most: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const waiting = items[Symbol.iterator]();
  const running = new Set<Promise<() => Result>>();
  for (;;) {
    while (running.size < most) {
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
