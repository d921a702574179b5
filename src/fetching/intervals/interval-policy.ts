import type { Rhythm } from './adaptive/rhythm.js';

export interface PolicyInput {
  activeFollowers: number;
  rhythm: Rhythm | null;
}

export interface PolicyContext {
  from: Date;
  /** The price of a fetch, in seconds that followers have waited. */
  price: number;
}

export interface PreferredInterval {
  seconds: number;
  /** True if the interval ends at a certain moment, such as just after a regular post. */
  exact?: boolean;
  terms: Record<string, number>;
}

export interface IntervalPolicy {
  readonly name: string;
  /** If set, the first interval of a source may end anywhere within it. */
  readonly beginsAnywhere?: boolean;
  preferredInterval(input: PolicyInput, context: PolicyContext): PreferredInterval | undefined;
  /** Works without the data behind the interval. A policy without it computes the interval again. */
  rescale?(seconds: number, followers: { before: number; now: number }): number;
  explain?(input: PolicyInput, context: PolicyContext): string[];
}
