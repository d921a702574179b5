import { readDate } from './read-date.js';

/** Unambiguous formats: ISO 8601 with a day, a day with a month name and a four-digit year, or a Unix timestamp. */
const CLEAR =
  /^\s*(?:\d{4}-\d{2}-\d{2}(?:[T\s]|$)|\d{8}T|\d{10}(?:\d{3})?\s*$)|\d{1,2}(?:\s+|-)\p{L}{3,}\.?,?(?:\s+|-)\d{4}/u;

/** An ambiguous date, such as `03/04/2005`, is used only if no later one is unambiguous. */
export function firstDate(dates: string[]): Date | undefined {
  let readable: Date | undefined;
  for (const text of dates) {
    const date = readDate(text);
    if (date && (dates.length === 1 || CLEAR.test(text))) return date;
    readable ??= date;
  }
  return readable;
}
