import { UsageError } from '../command.js';
import { type Column, table } from '../show/table.js';
import type { Call } from './api-action.js';
import type { Answer, ApiClient, Input, Path } from './api-client.js';

const PAGE_SIZE = 100;
const DEFAULT_LIMIT = 50;

export const LIST_OPTIONS = {
  limit: { value: 'n', help: `Maximum number of results (default: ${DEFAULT_LIMIT})` },
  all: { help: 'Show all results' },
} as const;

interface Page<Row> {
  items: Row[];
  nextCursor: string | null;
}

type ListPath = { [P in Path<'get'>]: Answer<'get', P> extends Page<unknown> ? P : never }[Path<'get'>];
type Row<P extends ListPath> = Answer<'get', P>['items'][number];

/** Reads page after page, until there are `max` items. */
export async function readList<P extends ListPath>(
  api: ApiClient,
  path: P,
  input: Input<'get', P>,
  max = Number.POSITIVE_INFINITY,
): Promise<Page<Row<P>>> {
  const items: Row<P>[] = [];
  let cursor: string | undefined;
  do {
    const limit = Math.min(PAGE_SIZE, max - items.length);
    const page: Page<Row<P>> = await api.get(path, { ...input, query: { ...input.query, limit, cursor } });
    items.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && items.length < max);
  return { items, nextCursor: cursor ?? null };
}

interface ListView<P extends ListPath> {
  path: P;
  input: Input<'get', P>;
  columns: readonly Column<Row<P>>[];
  /** The text for an empty list. */
  none: string;
  /** What to do to see more than the list shows. */
  more?: string;
}

/** Prints a list as a table, and reports if there is more than it shows. */
export async function showList<P extends ListPath>(
  { api, values, terminal, answer }: Call<typeof LIST_OPTIONS>,
  { path, input, columns, none, more = 'Use --all or a higher --limit to see more' }: ListView<P>,
): Promise<number> {
  const list = await readList(api, path, input, values.all ? undefined : limitOf(values.limit));
  const code = answer(list, () => (list.items.length ? table(columns, list.items, terminal) : `${none}\n`));
  if (list.nextCursor !== null && !values.json)
    terminal.err(`Only the first ${list.items.length} are shown. ${more}.\n`);
  return code;
}

function limitOf(limit: string | undefined): number {
  if (limit === undefined) return DEFAULT_LIMIT;
  if (!/^[1-9]\d{0,8}$/.test(limit)) throw new UsageError(`--limit must be a positive whole number, not \`${limit}\`.`);
  return Number(limit);
}
