const MIN_DEPTH = 20;
const MAX_DEPTH = 500;

/** A queue deeper than workers empty in about a second would delay urgent posts and those of other users. */
export class QueueDepth {
  private depth = MIN_DEPTH;
  private last: { queued: number; atMs: number } | undefined;

  /** `atMs` may come from any monotonic clock. */
  depthFor(queued: number, atMs: number): number {
    if (this.last && atMs > this.last.atMs) {
      const perSecond = ((this.last.queued - queued) / (atMs - this.last.atMs)) * 1_000;
      // The queue ran empty, so the measured rate is only a lower bound.
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
