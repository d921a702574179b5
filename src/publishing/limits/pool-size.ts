const MANY_WAIT = 500;
const FEW_WAIT = 50;
const MIN_SIZE = 1;
const MAX_SIZE = 20;

/** The pool shrinks below its initial size, `beginning`, only while nothing waits. */
export function nextPoolSize(size: number, waiting: number, beginning: number): number {
  if (waiting > MANY_WAIT) return Math.min(MAX_SIZE, size * 2);
  if (waiting >= FEW_WAIT) return Math.max(size, beginning);
  const smallest = waiting > 0 ? beginning : MIN_SIZE;
  return size > smallest ? size - 1 : smallest;
}
