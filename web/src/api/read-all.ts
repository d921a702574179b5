interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

export interface Listed<Item> {
  items: Item[];
  /** False if the list was cut off at `max`. */
  complete: boolean;
}

/** Reads a list page by page until it ends or has at least `max` items. */
export async function readAll<Item>(
  read: (cursor: string | undefined) => Promise<Page<Item>>,
  max: number,
): Promise<Listed<Item>> {
  const items: Item[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await read(cursor);
    items.push(...page.items);
    if (page.nextCursor === null) return { items, complete: true };
    if (items.length >= max) return { items, complete: false };
    cursor = page.nextCursor;
  }
}
