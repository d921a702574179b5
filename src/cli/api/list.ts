import { z } from 'zod';
import { UsageError } from '../command.js';
import { type Column, table } from '../show/table.js';
import type { Call } from './api-action.js';
import { type ApiClient, read } from './api-client.js';

/** What a list is asked for at most at once. */
const PAGE = 100;
const USUAL = 50;

export const LIST_OPTIONS = {
  limit: { value: 'n', help: `so many at most (default: ${USUAL})` },
  all: { help: 'all of them' },
} as const;

const Page = z.object({ items: z.array(z.unknown()), nextCursor: z.string().nullish() });

interface Wanted {
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
}

interface Several {
  items: unknown[];
  nextCursor: string | null;
}

/** Page after page, until there are as many as wanted. */
export async function readList(
  api: ApiClient,
  { path, query }: Wanted,
  most = Number.POSITIVE_INFINITY,
): Promise<Several> {
  const items: unknown[] = [];
  let cursor: string | undefined;
  do {
    const limit = Math.min(PAGE, most - items.length);
    const page = read(Page, await api.get(path, { ...query, limit, cursor }));
    items.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && items.length < most);
  return { items, nextCursor: cursor ?? null };
}

interface Shown<Row extends z.ZodType> extends Wanted {
  row: Row;
  columns: readonly Column<z.infer<Row>>[];
  /** Said where the list is empty. */
  none: string;
}

/** A list as a table; says where there is more than it shows. */
export async function showList<Row extends z.ZodType>(
  { api, values, terminal, answer }: Call<typeof LIST_OPTIONS>,
  { row, columns, none, ...wanted }: Shown<Row>,
): Promise<number> {
  const list = await readList(api, wanted, values.all ? undefined : howMany(values.limit));
  const code = answer(list, () => {
    const rows = read(z.array(row), list.items);
    return rows.length ? table(columns, rows, terminal) : `${none}\n`;
  });
  if (list.nextCursor !== null && !values.json)
    terminal.err(`There are more than these ${list.items.length}: --all shows them, or --limit as many as you want.\n`);
  return code;
}

function howMany(limit: string | undefined): number {
  if (limit === undefined) return USUAL;
  if (!/^[1-9]\d{0,8}$/.test(limit)) throw new UsageError(`--limit takes a whole number from 1 on, not ${limit}`);
  return Number(limit);
}
