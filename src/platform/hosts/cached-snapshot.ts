interface Snapshot<Rows> {
  rows: Rows;
  at: number;
  changes: number;
}

/**
 * Caches the rows of a table that other processes change. It reads again when the snapshot is too old or a change is
 * announced.
 */
export class CachedSnapshot<Rows> {
  private snapshot: Snapshot<Rows> | undefined;
  private reading: Promise<void> | undefined;
  private changes = 0;

  constructor(
    private readonly read: () => Promise<Rows>,
    private readonly maxAgeMs: () => number,
  ) {}

  /**
   * Returns rows that include every change announced before the call. Later changes may be missing, so the call ends
   * however fast they come.
   */
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
