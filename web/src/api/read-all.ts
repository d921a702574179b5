interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

export interface Listed<Item> {
  items: Item[];
  /** False where there are more than were asked for. */
  complete: boolean;
}

/** Follows the cursors of a list until its end, or until there are `most`. */
export async function readAll<Item>(
  read: (cursor: string | undefined) => Promise<Page<Item>>,
  most: number,
): Promise<Listed<Item>> {
  const items: Item[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await read(cursor);
    items.push(...page.items);
    if (page.nextCursor === null) return { items, complete: true };
    if (items.length >= most) return { items, complete: false };
    cursor = page.nextCursor;
  }
}
