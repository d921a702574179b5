interface Limits {
  maxBytes: number;
  maxPerOwner: number;
}

export type ReleaseBody = () => void;

export class BodyBudget {
  private readonly running = new Map<string, number>();
  private bytes = 0;

  constructor(private readonly limits: Limits) {}

  take(owner: string, bytes: number): ReleaseBody | undefined {
    const running = this.running.get(owner) ?? 0;
    if (running >= this.limits.maxPerOwner || this.bytes + bytes > this.limits.maxBytes) return undefined;
    this.running.set(owner, running + 1);
    this.bytes += bytes;
    let isReleased = false;
    return () => {
      if (!isReleased) this.release(owner, bytes);
      isReleased = true;
    };
  }

  private release(owner: string, bytes: number): void {
    const left = (this.running.get(owner) ?? 1) - 1;
    if (left) this.running.set(owner, left);
    else this.running.delete(owner);
    this.bytes -= bytes;
  }
}
