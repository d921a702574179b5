/** Returns the maximum number of these times in any window of that length, both ends included. */
export function fullestWindow(moments: number[], windowMs: number): number {
  const sorted = moments.toSorted((a, b) => a - b);
  let [first, fullest] = [0, 0];
  for (const [at, moment] of sorted.entries()) {
    while (moment - (sorted[first] ?? moment) > windowMs) first += 1;
    fullest = Math.max(fullest, at - first + 1);
  }
  return fullest;
}

interface Span {
  windowMs: number;
  most: number;
  from: number;
  to: number;
}

/** Returns the share of a limit that was used: the mean fill of the windows that end between two times. */
export function usedCapacity(moments: number[], { windowMs, most, from, to }: Span): number {
  const counted = moments.map((moment) => Math.max(0, Math.min(moment + windowMs, to) - Math.max(moment, from)));
  return counted.reduce((sum, ms) => sum + ms, 0) / (most * (to - from));
}
