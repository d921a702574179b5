import { type DateParts, fullYear, toDate } from './instant.js';
import { readWordedDate } from './worded-date.js';

const DATE = String.raw`(?<year>\d{4})(?:-?(?<month>\d{2})(?:-?(?<day>\d{2}))?|-(?<shortMonth>\d{1,2})(?:-(?<shortDay>\d{1,2}))?|-?(?<ordinal>\d{3}))?`;

const TIME = String.raw`(?<hour>\d{1,2})(?::?(?<minute>\d{2})(?::?(?<second>\d{2})(?:[.,:]\d+)?)?)?`;

const ISO = new RegExp(String.raw`^${DATE}(?:(?:T\s?|t|\s|-)${TIME}\s?(?<zone>\S.*)?)?$`);

/** Formats with a two-digit year, and months with an extra zero. */
const SHORT_YEAR = /^-?(\d{2})(?:(-?)(\d{2})(?:\2(\d{2}))?|-?(\d{3}))(?=T|$)/;

const LONG_MONTH = /^(\d{4})-0(\d{2})-(?=\d)/;

const MAX_LENGTH = 100;

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

const RFC_822 =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), )?(\d{1,2}) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d{4}) (\d\d):(\d\d):(\d\d) (GMT|[+-]\d{4})$/;

const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';

/** A missing zone means UTC. */
export function readDate(text: string | undefined): Date | undefined {
  return text ? (readStandard(text) ?? readAny(text)) : undefined;
}

/** Almost every date is in one of these two formats, which need none of the guesses below. */
function readStandard(text: string): Date | undefined {
  const [, first = '', month = '', third, hour, minute, second, zone] = RFC_3339.exec(text) ?? RFC_822.exec(text) ?? [];
  if (!first) return undefined;
  const isWorded = first.length < 4;
  return toDate({
    year: Number(isWorded ? third : first),
    month: isWorded ? MONTHS.indexOf(month) / 3 + 1 : Number(month),
    day: Number(isWorded ? first : third),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    zone,
  });
}

function readAny(text: string): Date | undefined {
  const trimmed = text.replace(/\\n|\s+/g, ' ').trim();
  if (!trimmed || trimmed.length > MAX_LENGTH) return undefined;
  return readCount(trimmed) ?? readIsoDate(trimmed) ?? readWordedDate(asianWords(trimmed));
}

function readCount(text: string): Date | undefined {
  if (!/^\d{10}(?:\d{3})?$/.test(text)) return undefined;
  return new Date(text.length === 10 ? Number(text) * 1_000 : Number(text));
}

/** Rewrites `2004년 05월 28일 오후 01:31` and `2004年5月28日`. Korean dates without a zone are in Korean time. */
function asianWords(text: string): string {
  if (!/[년年오]/.test(text)) return text;
  const [, half] = /오(전|후)/.exec(text) ?? [];
  const plain = text
    .replace(/오[전후]\s*(\d{1,2}(?::\d{1,2}){1,2})/, (_, time: string) => `${time} ${half === '후' ? 'pm' : 'am'}`)
    .replace(/(\d{1,2})\s*[일日]/, '$1 ')
    .replace(/(\d)\s*[년年월月]\s*/g, '$1-');
  return /[가-힣]/.test(text) && !/[+-]\d{2}:?\d{2}$|[A-Z]{3}$/.test(plain) ? `${plain} +0900` : plain;
}

/** Accepts `2003-12-31T10:14:55Z`, `20031231`, `2003-12`, `2003-335`, `2003-1-5 10:14`, `031231`, `-0312`, `03335`. */
function readIsoDate(text: string): Date | undefined {
  const whole = readWhole(text);
  if (whole || !/^[-\d]/.test(text)) return whole;
  return readWhole(text.replace(SHORT_YEAR, longYear).replace(LONG_MONTH, '$1-$2-'));
}

function longYear(_: string, ...[year = '', , month, day, ordinal]: (string | undefined)[]): string {
  return [fullYear(year), ordinal ?? month, day].filter(Boolean).join('-');
}

function readWhole(text: string): Date | undefined {
  const groups = ISO.exec(text)?.groups;
  if (!groups) return undefined;
  const { year, month, day, shortMonth, shortDay, ordinal, zone } = groups;
  const parts: DateParts = {
    year: Number(year),
    month: number(month ?? shortMonth),
    day: number(day ?? shortDay),
    hour: number(groups.hour),
    minute: number(groups.minute),
    second: number(groups.second),
    zone,
  };
  return ordinal ? dayOfYear(parts, Number(ordinal)) : toDate(parts);
}

function dayOfYear(parts: DateParts, ordinal: number): Date | undefined {
  const first = toDate({ ...parts, month: 1, day: 1 });
  if (!first || ordinal < 1 || ordinal > 366) return undefined;
  return new Date(first.getTime() + (ordinal - 1) * 86_400_000);
}

function number(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
