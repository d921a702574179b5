import type { LeadView } from './lead-view.js';

const COLUMNS = [
  'id',
  'name',
  'domain',
  'emails',
  'phones',
  'address',
  'country',
  'description',
  'url',
  'source_type',
  'scraped_at',
] as const satisfies (keyof LeadView)[];

/**
 * Where a spreadsheet would see a formula begin: at the beginning of a cell, and after a semicolon, at which many of them
 * split even what is separated by commas.
 */
const FORMULA = /^(?=\s*[=+\-@＝＋－＠]|[\t\r\n])|(?=[=+\-@＝＋－＠])(?<=[;\t\r\n][ "]*)/g;

/** RFC 4180 in UTF-8 without a byte order mark. Every phone number in E.164 has an apostrophe before it, as formulas do. */
export async function* renderLeadsCsv(leads: AsyncIterable<LeadView> | Iterable<LeadView>): AsyncGenerator<string> {
  yield line(COLUMNS);
  for await (const lead of leads) yield line(COLUMNS.map((column) => cell(lead[column])));
}

function cell(value: string | string[] | null): string {
  const text = Array.isArray(value) ? value.join('; ') : (value ?? '');
  const safe = text.replace(FORMULA, "'");
  return /[",;\s]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function line(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}
