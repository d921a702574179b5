/** Collects how long each kind of work takes, in milliseconds. */
export class Times {
  private readonly taken = new Map<string, number[]>();

  async add(label: string, work: () => Promise<unknown>): Promise<void> {
    const start = performance.now();
    await work();
    this.taken.set(label, [...(this.taken.get(label) ?? []), performance.now() - start]);
  }

  clear(): void {
    this.taken.clear();
  }

  p95(...labels: string[]): number {
    const sorted = labels.flatMap((label) => this.taken.get(label) ?? []).toSorted((a, b) => a - b);
    return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
  }
}

export const inMs = (ms: number) => `${ms.toFixed(2)} ms`;
