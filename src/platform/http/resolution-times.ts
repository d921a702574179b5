const WINDOW_MS = 60_000;
const MAX_LOOKUPS = 500;
/** Fewer tell nothing. */
const MIN_LOOKUPS = 10;
export const SLOW_MS = 2_000;

interface Lookup {
  ms: number;
  /** A name server said something, even that there is no such name. */
  isAnswered: boolean;
}

/** How quickly names were resolved in the last minute. */
export class ResolutionTimes {
  private readonly recent: (Lookup & { at: number })[] = [];

  add(lookup: Lookup, now = Date.now()): void {
    this.recent.push({ ...lookup, at: now });
    if (this.recent.length > MAX_LOOKUPS) this.recent.shift();
  }

  /**
   * What is wrong, in words that continue "name resolution"; undefined if nothing is. Single dead name servers are not: their names go
   * unanswered while others are answered quickly.
   */
  problem(now = Date.now()): string | undefined {
    const recent = this.recent.filter(({ at }) => at > now - WINDOW_MS);
    if (recent.length < MIN_LOOKUPS) return undefined;
    const times = recent
      .filter(({ isAnswered }) => isAnswered)
      .map(({ ms }) => ms)
      .toSorted((a, b) => a - b);
    const median = times[Math.floor(times.length / 2)];
    if (median === undefined) return `does not work: none of ${recent.length} lookups was answered in the last minute`;
    if (median < SLOW_MS) return undefined;
    return `is slow: half of the answers took more than ${(median / 1_000).toFixed(1)} s in the last minute`;
  }
}
