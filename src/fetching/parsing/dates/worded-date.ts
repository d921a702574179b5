import { type DateParts, fullYear, toDate } from './instant.js';

/** Prefixes of month names by language, each in the order of the year. */
const NAMES = [
  'jan feb mar apr may jun jul aug sep oct nov dec', // English
  'jan fév mars avr mai juin juil aoû sep oct nov déc', // French
  'jan fev mar avr mai jui jui aou sep oct nov dec', // French without accents
  'jän feb mär apr mai jun jul aug sep okt nov dez', // German
  'ene feb mar abr may jun jul ago sep oct nov dic', // Spanish
  'gen feb mar apr mag giu lug ago set ott nov dic', // Italian
  'jan fev mar abr mai jun jul ago set out nov dez', // Portuguese
  'jan feb maa apr mei jun jul aug sep okt nov dec', // Dutch
  'sty lut mar kwi maj cze lip sie wrz paź lis gru', // Polish
  'янв фев мар апр мая июн июл авг сен окт ноя дек', // Russian
  'ιαν φεβ μάρ απρ μάι ιούν ιούλ αύγ σεπ οκτ νοέ δεκ', // Greek
  'jan feb már ápr máj jún júl aug sze okt nov dec', // Hungarian
].map((names) => names.split(' '));

const ALL = NAMES.flatMap((names) => names.map((name, index) => ({ name, month: index + 1 })))
  // The longest come first, so that `juil` matches July before `jui` matches June.
  .sort((a, b) => b.name.length - a.name.length);

const TIME = /(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?(?:\.\d+)?(?:\s*([ap])\.?m\b\.?)?/i;
const ZONE =
  /(?:^|\s)((?:GMT|UTC)?\s?[+-]\d{1,2}:?\d{2}|(?:GMT|UTC)[+-]\d{1,2}|[A-Z][A-Za-z]+\/[A-Za-z_/]+|[A-Z]{1,5})\)?(?=\s\d{4}$|$)/;

/** Parses RFC 822 dates and similar ones: `Thu, 01 Jan 04 19:48:21 EST`, `June 22, 2023 at 1:11 PM`, `26/06/2020`. */
export function readWordedDate(text: string): Date | undefined {
  const time = TIME.exec(text);
  const [before, after] = time ? split(text, time) : [text, ''];
  const zone = ZONE.exec(after) ?? ZONE.exec(before);
  const rest = `${before} ${after.replace(zone?.[0] ?? '', ' ')}`;
  const day = numericDay(rest) ?? namedDay(rest);
  return day && toDate({ ...day, ...timeOf(time), zone: zone?.[1]?.replace(/\s/g, '') });
}

function split(text: string, time: RegExpExecArray): [string, string] {
  return [text.slice(0, time.index), text.slice(time.index + time[0].length)];
}

function timeOf(time: RegExpExecArray | null): Partial<DateParts> {
  if (!time) return {};
  const [, hour, minute, second, half] = time;
  const midday = half?.toLowerCase() === 'p' ? 12 : 0;
  return {
    hour: half ? (Number(hour) % 12) + midday : Number(hour),
    minute: Number(minute),
    second: Number(second ?? 0),
  };
}

/** Accepts `2006/09/15`, `26/06/2020`, `06/26/2020`, `26.06.2020`. With slashes the month comes first if in doubt. */
function numericDay(text: string): DateParts | undefined {
  const [, a = '', separator, b = '', c = ''] =
    /(?:^|\D)(\d{1,4})([/.-]|\s(?=\d{1,2}\s\d{4}))(\d{1,2})\2(\d{1,4})(?:\D|$)/.exec(text) ?? [];
  if (!separator) return undefined;
  if (a.length === 4) return { year: Number(a), month: Number(b), day: Number(c) };
  const dayFirst = separator !== '/' || Number(a) > 12;
  const [day, month] = dayFirst ? [a, b] : [b, a];
  return { year: fullYear(c), month: Number(month), day: Number(day) };
}

/** Accepts `5 Jan 2004`, `Jan 5, 2004`, `5-Jan-04`, `Nov. 2020`. */
function namedDay(text: string): DateParts | undefined {
  const words = text.split(/[\s,.()-]+/).filter(Boolean);
  const at = words.findIndex((word) => /^\p{L}/u.test(word) && monthOf(word) !== undefined && !isWeekday(word, words));
  if (at < 0) return undefined;
  const month = monthOf(words[at] ?? '');
  const numbers = words.map((word) => /^(\d{1,4})(?:st|nd|rd|th|er|º|de|t)?$/i.exec(word)?.[1]);
  const before = numbers[at - 1];
  const after = numbers.slice(at + 1).filter((number) => number !== undefined);
  if (before && before.length <= 2 && after[0]) return { year: fullYear(after[0]), month, day: Number(before) };
  if (before && before.length === 4) return { year: Number(before), month, day: Number(after[0] ?? 1) };
  const [first = '', second] = after;
  if (second) return { year: fullYear(second), month, day: Number(first) };
  return first.length === 4 ? { year: Number(first), month } : undefined;
}

/** `mar` is Tuesday in Spanish and March in English. It is the weekday if another word of the date names a month. */
function isWeekday(word: string, words: string[]): boolean {
  return words.indexOf(word) === 0 && words.slice(1).some((other) => monthOf(other) !== undefined);
}

function monthOf(word: string): number | undefined {
  const lower = word.toLowerCase();
  return ALL.find(({ name }) => lower.startsWith(name))?.month;
}
