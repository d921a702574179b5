interface Snapshot<Rows> {
  rows: Rows;
  at: number;
  changes: number;
}

export class CachedSnapshot<Rows> {
  private snapshot: Snapshot<Rows> | undefined;
  private reading: Promise<void> | undefined;
  private changes = 0;

  constructor(
    private readonly read: () => Promise<Rows>,
    private readonly maxAgeMs: () => number,
  ) {}

  /** Includes every change announced before the call, but not later ones, so that the call ends. */
  async current(): Promise<Rows> {
    const requiredChanges = this.changes;
    for (;;) {
      const { snapshot } = this;
      const isFresh =
        snapshot && snapshot.changes >= requiredChanges && performance.now() - snapshot.at <= this.maxAgeMs();
      if (isFresh) return snapshot.rows;
      this.reading ??= this.take().finally(() => {
        this.reading = undefined;
      });
      await this.reading;
    }
  }

  /** Marks the snapshot as outdated. A read that is in progress may be older than the change, so it is repeated. */
  invalidate(): void {
    this.changes += 1;
  }

  private async take(): Promise<void> {
    const { changes } = this;
    const rows = await this.read();
    this.snapshot = { rows, at: performance.now(), changes };
  }
}
