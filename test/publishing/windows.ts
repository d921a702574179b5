/** How many of these moments the fullest window of that length holds, both its ends included. */
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

/** The part of a limit that was used: the mean, from one moment to another, of how full the window was that ended then. */
export function usedCapacity(moments: number[], { windowMs, most, from, to }: Span): number {
  const counted = moments.map((moment) => Math.max(0, Math.min(moment + windowMs, to) - Math.max(moment, from)));
  return counted.reduce((sum, ms) => sum + ms, 0) / (most * (to - from));
}
