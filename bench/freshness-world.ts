/** Sources, who follows them, and what they post. Times are seconds from the start; posts before it are history. */
export interface World {
  sources: WorldSource[];
  /** When the last thing happens. */
  end: number;
}

export interface WorldSource {
  id: string;
  /** As often as it may be asked. */
  minIntervalSeconds?: number;
  /** By time. */
  followers: Following[];
  posts: number[];
  /** Posts a second to be expected at `at` by one who knows how the source works and what it has posted until `from`. */
  rate?: (at: number, from: number) => number;
}

export interface Following {
  at: number;
  active: number;
}

/** The second of the start, since 1970: a Monday, at midnight. */
export const START = Date.parse('2026-01-05T00:00:00Z') / 1_000;

export const dateOf = (at: number) => new Date((START + at) * 1_000);
export const secondsOf = (date: Date) => date.getTime() / 1_000 - START;
