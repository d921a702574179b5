export class ExpiringSet {
  /** Insertion times in order, so the oldest entries come first. */
  private readonly at = new Map<string, number>();

  constructor(private readonly whileMs: number) {}

  get size(): number {
    return this.at.size;
  }

  has(what: string, now: number): boolean {
    this.forgetOld(now);
    return this.at.has(what);
  }

  add(what: string, now: number): boolean {
    this.forgetOld(now);
    if (this.at.has(what)) return false;
    this.at.set(what, now);
    return true;
  }

  forget(what: string): void {
    this.at.delete(what);
  }

  private forgetOld(now: number): void {
    for (const [what, at] of this.at) {
      if (now - at < this.whileMs) return;
      this.at.delete(what);
    }
  }
}
