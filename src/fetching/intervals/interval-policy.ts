import type { Rhythm } from './adaptive/rhythm.js';

/** The facts that a policy may use. */
export interface PolicyInput {
  activeFollowers: number;
  /** Null if nothing is known yet. */
  rhythm: Rhythm | null;
}

export interface PolicyContext {
  /** Start of the interval. */
  from: Date;
  /** The price of a fetch, in seconds that followers have waited. */
  price: number;
}

/** The interval that a policy prefers, before limits are applied. */
export interface PreferredInterval {
  seconds: number;
  /** The numbers from which it was computed. */
  terms: Record<string, number>;
}

/** Distributes requests among sources. */
export interface IntervalPolicy {
  readonly name: string;
  /** If set, the first interval of a source may end anywhere within it. */
  readonly beginsAnywhere?: boolean;
  preferredInterval(input: PolicyInput, context: PolicyContext): PreferredInterval | undefined;
  /**
   * Adjusts an interval when followers change, without the data behind it. A policy without it computes the interval
   * again.
   */
  rescale?(seconds: number, followers: { before: number; now: number }): number;
  /** Explains the preferred interval in sentences. */
  explain?(input: PolicyInput, context: PolicyContext): string[];
}
