import { readDate } from './read-date.js';

/** ISO 8601 with a day, a day with the month's name and four digits for the year, or a count of seconds. */
const CLEAR =
  /^\s*(?:\d{4}-\d{2}-\d{2}(?:[T\s]|$)|\d{8}T|\d{10}(?:\d{3})?\s*$)|\d{1,2}(?:\s+|-)\p{L}{3,}\.?,?(?:\s+|-)\d{4}/u;

/** The first date that can be read. One that has to be guessed, as `03/04/2005`, gives way to a later one that is clear. */
export function firstDate(dates: string[]): Date | undefined {
  const readable = dates.flatMap((text) => {
    const date = readDate(text);
    return date ? { date, isClear: CLEAR.test(text) } : [];
  });
  return (readable.find(({ isClear }) => isClear) ?? readable[0])?.date;
}
