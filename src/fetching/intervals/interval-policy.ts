import type { Rhythm } from './adaptive/rhythm.js';

/** What a policy may go by. */
export interface PolicyInput {
  activeFollowers: number;
  /** Null: nothing is known yet. */
  rhythm: Rhythm | null;
}

export interface PolicyContext {
  /** When the interval begins. */
  from: Date;
  /** What a fetch must be worth, in seconds that followers have waited. */
  price: number;
}

/** How often a policy would fetch a source if nobody else had a say. */
export interface Wish {
  seconds: number;
  /** The numbers behind it. */
  terms: Record<string, number>;
}

/** Shares the requests out among the sources. Undefined: not at all. */
export interface IntervalPolicy {
  readonly name: string;
  /** The first interval of a source may end anywhere within it. */
  readonly beginsAnywhere?: boolean;
  wish(input: PolicyInput, context: PolicyContext): Wish | undefined;
  /** What becomes of an interval when followers come or go, without all that led to it. Undefined: ask for a wish. */
  rescale?(seconds: number, followers: { before: number; now: number }): number;
  /** The reasons for what it wishes, in sentences. */
  explain?(input: PolicyInput, context: PolicyContext): string[];
}
