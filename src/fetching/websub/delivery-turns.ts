/** Of one subscription: whoever pushes more at a time is asked to come again. */
const MOST_AT_ONCE = 4;
/** Of all: bodies are held in memory while they come and are read. */
const MOST_BYTES = 100_000_000;

/** Called when a delivery's turn is over; again does no harm. */
export type EndTurn = () => void;

/** How many deliveries, and how much of them, one process takes at a time. */
export class DeliveryTurns {
  private readonly running = new Map<string, number>();
  private bytes = 0;

  /** Undefined: there is no room just now. */
  take(subscriptionId: string, bytes: number): EndTurn | undefined {
    const running = this.running.get(subscriptionId) ?? 0;
    if (running >= MOST_AT_ONCE || this.bytes + bytes > MOST_BYTES) return undefined;
    this.running.set(subscriptionId, running + 1);
    this.bytes += bytes;
    let isOver = false;
    return () => {
      if (!isOver) this.end(subscriptionId, bytes);
      isOver = true;
    };
  }

  private end(subscriptionId: string, bytes: number): void {
    const left = (this.running.get(subscriptionId) ?? 1) - 1;
    if (left) this.running.set(subscriptionId, left);
    else this.running.delete(subscriptionId);
    this.bytes -= bytes;
  }
}
