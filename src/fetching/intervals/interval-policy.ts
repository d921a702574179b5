/** What a policy may go by. */
export interface PolicyInput {
  activeFollowers: number;
}

/** How often a policy would fetch a source if nobody else had a say. */
export interface Wish {
  seconds: number;
  /** The reason, as a sentence. */
  because: string;
  /** The numbers behind it. */
  terms: Record<string, number>;
}

/** Shares the requests out among the sources. Undefined: not at all. */
export interface IntervalPolicy {
  readonly name: string;
  wish(input: PolicyInput): Wish | undefined;
}
