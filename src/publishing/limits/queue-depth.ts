const MIN_DEPTH = 20;
const MAX_DEPTH = 200;

/**
 * How many publications of a platform are handed to its workers ahead: about what they take in a second. With more, what
 * is urgent or somebody else's would have to wait behind them.
 */
export class QueueDepth {
  private depth = MIN_DEPTH;
  private last: { queued: number; atMs: number } | undefined;

  /** Given how many are queued now, at a time by any clock. */
  wanted(queued: number, atMs: number): number {
    if (this.last && atMs > this.last.atMs) {
      const perSecond = ((this.last.queued - queued) / (atMs - this.last.atMs)) * 1_000;
      // Of a queue that ran empty nobody knows how many more they would have taken.
      const isTooShort = queued === 0 && this.last.queued > 0;
      this.depth = isTooShort ? this.depth * 2 : Math.ceil(perSecond);
    }
    this.depth = Math.min(MAX_DEPTH, Math.max(MIN_DEPTH, this.depth));
    return this.depth;
  }

  handedOut(queued: number, atMs: number): void {
    this.last = { queued, atMs };
  }
}
