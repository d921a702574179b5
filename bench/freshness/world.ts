/** Sources with their followers and posts. Times are seconds from the start; earlier posts are history. */
export interface World {
  sources: WorldSource[];
  /** The time of the last event. */
  end: number;
}

export interface WorldSource {
  id: string;
  /** The minimum interval that the source allows, in seconds. */
  minIntervalSeconds?: number;
  /** The number of posts that its feed shows. */
  shown?: number;
  /** Sorted by time. */
  followers: Following[];
  posts: number[];
  /**
   * Returns the expected posts per second at `at`, given perfect knowledge of the source and its posts until `from`.
   */
  rate?: (at: number, from: number) => number;
}

export interface Following {
  at: number;
  active: number;
}

/** The number of posts that most feeds show. */
export const SHOWN = 30;

/** The start in seconds since 1970: a Monday at midnight. */
export const START = Date.parse('2026-01-05T00:00:00Z') / 1_000;

export const dateOf = (at: number) => new Date((START + at) * 1_000);
export const secondsOf = (date: Date) => date.getTime() / 1_000 - START;
