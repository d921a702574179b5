/** Who or what was seen within the last while. */
export class ExpiringSet {
  /** In the order of time, so that the oldest are found at the beginning. */
  private readonly at = new Map<string, number>();

  constructor(private readonly whileMs: number) {}

  get size(): number {
    return this.at.size;
  }

  has(what: string, now: number): boolean {
    this.forgetOld(now);
    return this.at.has(what);
  }

  /** False for one that is among them already. */
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
