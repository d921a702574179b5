/** At most so many of those that were added, each with the same chance to be among them. */
export class FairSample<Item> {
  private items: Item[] = [];
  private seen = 0;

  constructor(private readonly most: number) {}

  /** Makes the item only if it is taken. */
  add(make: () => Item): void {
    this.seen++;
    if (this.items.length < this.most) {
      this.items.push(make());
      return;
    }
    const place = Math.floor(Math.random() * this.seen);
    if (place < this.most) this.items[place] = make();
  }

  /** What it holds; it begins anew. */
  take(): Item[] {
    const { items } = this;
    this.items = [];
    this.seen = 0;
    return items;
  }
}
