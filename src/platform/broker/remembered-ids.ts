/** The last so many ids; the oldest are forgotten. */
export class RememberedIds {
  private readonly ids = new Set<string>();

  constructor(private readonly most: number) {}

  add(id: string): void {
    this.ids.add(id);
    const [oldest] = this.ids;
    if (this.ids.size > this.most && oldest !== undefined) this.ids.delete(oldest);
  }

  /** Whether it was remembered. */
  delete(id: string): boolean {
    return this.ids.delete(id);
  }
}
