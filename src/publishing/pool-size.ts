const MANY_WAIT = 500;
const FEW_WAIT = 50;
const SMALLEST = 1;
const LARGEST = 20;

/** How many publications of a platform a process works on at once, given how many are due and wait. */
export function nextPoolSize(size: number, waiting: number): number {
  if (waiting > MANY_WAIT) return Math.min(LARGEST, size + 1);
  if (waiting < FEW_WAIT) return Math.max(SMALLEST, size - 1);
  return size;
}
