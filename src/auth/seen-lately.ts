/** Who was seen within the last while. */
export class SeenLately {
  /** In the order of time, so that the oldest are found at the beginning. */
  private readonly at = new Map<string, number>();

  constructor(private readonly whileMs: number) {}

  get size(): number {
    return this.at.size;
  }

  /** False for somebody who is among them already. */
  add(userId: string, now: number): boolean {
    this.forgetOld(now);
    if (this.at.has(userId)) return false;
    this.at.set(userId, now);
    return true;
  }

  forget(userId: string): void {
    this.at.delete(userId);
  }

  private forgetOld(now: number): void {
    for (const [userId, at] of this.at) {
      if (now - at < this.whileMs) return;
      this.at.delete(userId);
    }
  }
}
