/** Upper bounds in seconds: nine per decade, from one second to twelve days. Longer delays go into an extra bucket. */
const BOUNDS = Array.from({ length: 55 }, (_, at) => 10 ** (at / 9));

export type DelayCounts = number[];

export function addDelay(counts: DelayCounts, seconds: number): void {
  const at = BOUNDS.findIndex((bound) => seconds <= bound);
  const bucket = at < 0 ? BOUNDS.length : at;
  while (counts.length <= bucket) counts.push(0);
  counts[bucket] = (counts[bucket] ?? 0) + 1;
}

export function sumOf(all: DelayCounts[]): DelayCounts {
  const sum: DelayCounts = [];
  for (const counts of all) for (const [at, count] of counts.entries()) sum[at] = (sum[at] ?? 0) + count;
  return sum;
}

/** The result in seconds is exact to about 10 %; null if there are no delays. */
export function delayQuantile(counts: DelayCounts, share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let below = 0;
  for (const [at, count] of counts.entries()) {
    if (below + count >= share * total && count > 0) {
      const [from, to] = [at === 0 ? 0 : (BOUNDS[at - 1] ?? 0), BOUNDS[at] ?? BOUNDS.at(-1) ?? 0];
      return from + ((share * total - below) / count) * (Math.max(from, to) - from);
    }
    below += count;
  }
  return BOUNDS.at(-1) ?? null;
}
