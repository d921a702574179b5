import { z } from 'zod';
import { ApiError } from '../../platform/errors/api-error.js';
import { MAX_ACCOUNTS } from './publication-requests.js';

export const MAX_POSTS = 10_000;

const EXPECTED = '{"posts": [{"accountId": "1", "content": {"text": "…"}}, …]} as JSON, or CSV as text/csv';

/** Each post is parsed by itself, so that every wrong one is reported and not only the first few. */
const Posts = z
  .array(z.unknown())
  .min(1)
  .max(MAX_POSTS)
  .meta({ type: 'array', items: { type: 'object' }, minItems: 1, maxItems: MAX_POSTS });

export const BulkBody = z.preprocess(
  (body) => (Array.isArray(body) ? { posts: body } : typeof body === 'string' ? { csv: body } : body),
  z
    .strictObject(
      { posts: Posts.optional(), csv: z.string().optional() },
      { error: ({ code }) => (code === 'invalid_type' ? EXPECTED : undefined) },
    )
    .refine(({ posts, csv }) => (posts === undefined) !== (csv === undefined), 'either posts or csv'),
);
export type BulkBody = z.infer<typeof BulkBody>;

/** One post of a bulk request. `path` names it in errors: `posts.3` in JSON, `lines.5` in CSV. */
export interface BulkLine {
  path: string;
  value: unknown;
  /** Why the line could not be read. */
  problem?: string;
}

export function linesOf({ posts, csv }: BulkBody): BulkLine[] {
  if (posts) return posts.map((value, at) => ({ path: `posts.${at}`, value }));
  const [header, ...records] = csvRecords(csv ?? '');
  if (!header || !records.length) throw refusedCsv('lines.1', 'a header and at least one post');
  if (records.length > MAX_POSTS) throw refusedCsv('lines', `at most ${MAX_POSTS} posts, and these are more`);
  const columns = header.cells.map(columnOf);
  return records.map(({ line, cells }) => {
    const path = `lines.${line}`;
    if (cells.length <= columns.length) return { path, value: toPost(columns, cells) };
    return { path, value: cells, problem: `${cells.length} cells under ${columns.length} columns` };
  });
}

const COLUMNS = {
  accountid: (cell: string) => ({ accountId: cell }),
  accountids: (cell: string) => ({ accountIds: cell.split(/\s+/, MAX_ACCOUNTS + 1) }),
  scheduledat: (cell: string) => ({ scheduledAt: cell }),
  localtime: (cell: string) => ({ localTime: cell }),
  timezone: (cell: string) => ({ timezone: cell }),
  priority: (cell: string) => ({ priority: cell.toLowerCase() }),
  expiresat: (cell: string) => ({ expiresAt: cell }),
} as const;

const CONTENT = {
  text: (cell: string) => ({ text: cell }),
  mediaurls: (cell: string) => ({ mediaUrls: cell.split(/\s+/) }),
  link: (cell: string) => ({ link: cell }),
  title: (cell: string) => ({ title: cell }),
} as const;

type Column = keyof typeof COLUMNS | keyof typeof CONTENT;

/** Names are compared without case and separators: `scheduled_at` and `Scheduled at` are `scheduledAt`. */
function columnOf(name: string): Column {
  const folded = name.toLowerCase().replace(/[\s_-]/g, '');
  if (Object.hasOwn(COLUMNS, folded) || Object.hasOwn(CONTENT, folded)) return folded as Column;
  throw refusedCsv('lines.1', `${JSON.stringify(name.slice(0, 100))} is not a column`);
}

function toPost(columns: Column[], cells: string[]): unknown {
  const content = {};
  const post = { content };
  for (const [at, column] of columns.entries()) {
    const cell = column === 'text' ? (cells[at] ?? '') : (cells[at] ?? '').trim();
    // An empty cell is a field that was not given.
    if (cell === '') continue;
    if (column in CONTENT) Object.assign(content, CONTENT[column as keyof typeof CONTENT](cell));
    else Object.assign(post, COLUMNS[column as keyof typeof COLUMNS](cell));
  }
  return post;
}

interface CsvRecord {
  /** The line of the file on which the record starts, from 1. */
  line: number;
  cells: string[];
}

const SEPARATORS = [',', ';', '\t'];

/** RFC 4180. The separator is the one of comma, semicolon and tab that the header has most of. */
function csvRecords(csv: string): CsvRecord[] {
  const given = csv.replace(/^\uFEFF/, '');
  const header = given.split(/\r?\n/, 1)[0] ?? '';
  const count = (separator: string) => header.split(separator).length;
  const separator = SEPARATORS.toSorted((a, b) => count(b) - count(a))[0] ?? ',';
  const token = new RegExp(`("(?:[^"]|"")*"|(?!")[^${separator}\\r\\n]*)(${separator}|\\r?\\n|\\r|$)`, 'y');
  const records: CsvRecord[] = [];
  let record: CsvRecord = { line: 1, cells: [] };
  let line = 1;
  while (token.lastIndex < given.length) {
    const found = token.exec(given);
    if (!found) throw refusedCsv(`lines.${line}`, 'a quote is opened and not closed, or text follows a closing quote');
    const [whole, cell = '', end] = found;
    line += whole.split(/\r\n|\r|\n/).length - 1;
    record.cells.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end === separator) continue;
    if (record.cells.some((one) => one.trim() !== '')) records.push(record);
    record = { line, cells: [] };
  }
  if (record.cells.some((one) => one.trim() !== '')) records.push(record);
  return records;
}

const refusedCsv = (path: string, message: string) =>
  new ApiError('bulk_refused', `${path}: ${message}`, { errors: [{ path, message }] });
