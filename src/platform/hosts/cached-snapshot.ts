interface Taken<Rows> {
  rows: Rows;
  at: number;
  /** How many changes were known of when it was begun. */
  changes: number;
}

/** What a process knows of a table that others change: read anew when it is too old, or when somebody tells of a change. */
export class CachedSnapshot<Rows> {
  private taken: Taken<Rows> | undefined;
  private taking: Promise<void> | undefined;
  private changes = 0;

  constructor(
    private readonly read: () => Promise<Rows>,
    private readonly mostAgeMs: () => number,
  ) {}

  /** With every change that was told before the call; later ones may be missing, so that it ends however fast they come. */
  async current(): Promise<Rows> {
    const wanted = this.changes;
    for (;;) {
      const { taken } = this;
      const isFresh = taken && taken.changes >= wanted && performance.now() - taken.at <= this.mostAgeMs();
      if (isFresh) return taken.rows;
      this.taking ??= this.take().finally(() => {
        this.taking = undefined;
      });
      await this.taking;
    }
  }

  /** What is being read just now may be older than the change, and is read once more. */
  outdate(): void {
    this.changes += 1;
  }

  private async take(): Promise<void> {
    const { changes } = this;
    const rows = await this.read();
    this.taken = { rows, at: performance.now(), changes };
  }
}
