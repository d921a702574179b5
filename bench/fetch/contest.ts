/** A program that fetches feeds in rounds. */
export interface Contestant {
  /** Fetches all feeds once and returns the rate in feeds per second. */
  round(): Promise<number>;
}

export interface Feeds {
  /** The address of the server of the feeds. */
  site: string;
  /**
   * The number of the first feed. Contestants have different feeds, so that items that are new to one are new to all.
   */
  from: number;
  count: number;
}

/** The number of new items in each round, in one of ten feeds. */
export const NEW_ITEMS = 2;
export const ITEMS = 50;

export function addresses({ site, from, count }: Feeds): string[] {
  return Array.from({ length: count }, (_, at) => `${site}/${from + at}`);
}

export function perSecond(count: number, ms: number): number {
  return count / (ms / 1_000);
}

/** Returns the items that a round must find: all in the first, then the new items of one feed in ten. */
export function newItems(count: number, isFirst: boolean): number {
  return isFirst ? count * ITEMS : (count / 10) * NEW_ITEMS;
}

export function checkFound(found: number, expected: number, who: string): void {
  if (found !== expected) throw new Error(`${who} found ${found} new items instead of ${expected}`);
}
