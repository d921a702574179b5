/** Fetches feeds, as often as it is asked to. */
export interface Contestant {
  /** All of its feeds once, and returns how many that were in a second. */
  round(): Promise<number>;
}

export interface Feeds {
  /** Where they are served. */
  site: string;
  /** Of the first of them. Each contestant has numbers of its own, so that what is new to one is new to all. */
  from: number;
  count: number;
}

/** Of new items in each round, in one of ten feeds. */
export const NEW_ITEMS = 2;
export const ITEMS = 50;

export function addresses({ site, from, count }: Feeds): string[] {
  return Array.from({ length: count }, (_, at) => `${site}/${from + at}`);
}

export function perSecond(count: number, ms: number): number {
  return count / (ms / 1_000);
}

/** What a round must find: everything in the first, then the new items of one feed in ten. */
export function newItems(count: number, isFirst: boolean): number {
  return isFirst ? count * ITEMS : (count / 10) * NEW_ITEMS;
}

export function checkFound(found: number, expected: number, who: string): void {
  if (found !== expected) throw new Error(`${who} found ${found} new items instead of ${expected}`);
}
