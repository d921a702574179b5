export interface Limit {
  most: number;
  windowMs: number;
}

/** The most that any stretch of that length holds, both its ends included. */
export function fullestWindow(times: number[], windowMs: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  let first = 0;
  let most = 0;
  for (const [at, time] of sorted.entries()) {
    while ((sorted[first] ?? time) < time - windowMs) first += 1;
    most = Math.max(most, at - first + 1);
  }
  return most;
}

/**
 * How much of a limit was used while more waited than it lets through: the mean, over the time from the end of the first
 * window to the last post, of what the window that ends then holds.
 */
export function usedShare(times: number[], { most, windowMs }: Limit): number {
  const sorted = times.toSorted((a, b) => a - b);
  const [begin = 0] = sorted;
  const from = begin + windowMs;
  const to = sorted.at(-1) ?? 0;
  // Each post is in the windows that end within its length after it.
  const shares = sorted.map((time) => Math.max(0, Math.min(time + windowMs, to) - Math.max(time, from)));
  return shares.reduce((sum, ms) => sum + ms, 0) / (most * (to - from));
}
