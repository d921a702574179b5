import { z } from 'zod';

/** `position` is the content of a cursor: the sort key of the last item seen, such as `z.tuple([Id])`. */
export function listQuery<Position extends z.ZodType, Filters extends z.ZodRawShape>(
  position: Position,
  filters: Filters,
) {
  return z.strictObject({
    limit: z.coerce.number().int().min(1).max(100).default(50),
    cursor: cursorTo(position).optional(),
    ...filters,
  });
}

export interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({ items: z.array(item), nextCursor: z.string().nullable() });

/** Creates a page from `rows`, which contain one row more than `limit` if there is a next page. */
export function page<Item>(rows: Item[], limit: number, position: (last: Item) => unknown): Page<Item> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: last !== undefined && rows.length > limit ? encodeCursor(position(last)) : null };
}

export function encodeCursor(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

function cursorTo<Position extends z.ZodType>(position: Position) {
  return z
    .string()
    .max(1000)
    .transform((text, context): z.output<Position> => {
      const parsed = position.safeParse(decodeCursor(text));
      if (parsed.success) return parsed.data;
      context.addIssue('not a cursor of this list');
      return z.NEVER;
    });
}

export function decodeCursor(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}
