/** A pool has a quarter of its concurrency as extra slots, at most this many. */
const MAX_EXTRA = 4;

interface Waiting {
  owner: string | undefined;
  admit: (admitted: boolean) => void;
}

/** Only jobs without an owner, or of owners who run none here, use the extra slots, so no owner keeps others out. */
export class FairSlots {
  private running = 0;
  private readonly runningOf = new Map<string, number>();
  private readonly waiting = new Set<Waiting>();
  /** The priority of the last job of an owner that got no slot. The next jobs wait until it is back. */
  private readonly refusedOf = new Map<string, number>();

  constructor(public concurrency: number) {}

  get total(): number {
    return this.concurrency + Math.min(MAX_EXTRA, Math.ceil(this.concurrency / 4));
  }

  /** A job of a smaller `priority` goes first. */
  async take(owner: string | undefined, timeoutMs: number, priority = 0): Promise<boolean> {
    if (this.isFreeFor(owner) && this.isTurnOf(owner, priority)) {
      this.occupy(owner);
      return true;
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        if (owner !== undefined) this.refuse(owner, priority, timeoutMs);
        admit(false);
      }, timeoutMs);
      const admit = (admitted: boolean) => {
        clearTimeout(timer);
        this.waiting.delete(entry);
        resolve(admitted);
      };
      const entry = { owner, admit };
      this.waiting.add(entry);
    });
  }

  release(owner: string | undefined): void {
    this.running -= 1;
    if (owner !== undefined) {
      const left = (this.runningOf.get(owner) ?? 1) - 1;
      if (left) this.runningOf.set(owner, left);
      else this.runningOf.delete(owner);
    }
    for (const { owner, admit } of this.waiting) {
      if (!this.isFreeFor(owner)) continue;
      this.occupy(owner);
      admit(true);
    }
  }

  private isFreeFor(owner: string | undefined): boolean {
    if (this.running < this.concurrency) return true;
    return this.running < this.total && (owner === undefined || !this.runningOf.has(owner));
  }

  /** Another process may take the job, so its owner waits for it only for a limited time. */
  private refuse(owner: string, priority: number, waitMs: number): void {
    this.refusedOf.set(owner, priority);
    setTimeout(() => {
      if (this.refusedOf.get(owner) === priority) this.refusedOf.delete(owner);
    }, waitMs).unref();
  }

  private isTurnOf(owner: string | undefined, priority: number): boolean {
    return owner === undefined || priority <= (this.refusedOf.get(owner) ?? priority);
  }

  private occupy(owner: string | undefined): void {
    this.running += 1;
    if (owner === undefined) return;
    this.runningOf.set(owner, (this.runningOf.get(owner) ?? 0) + 1);
    this.refusedOf.delete(owner);
  }
}
