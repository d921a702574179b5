/** Offsets from UTC in hours. Ambiguous names have the meaning that is usual in feeds, as in RFC 822. */
const NAMED_ZONES: Record<string, number> = {
  Z: 0,
  UT: 0,
  UTC: 0,
  GMT: 0,
  WET: 0,
  WEST: 1,
  BST: 1,
  IST: 5.5,
  CET: 1,
  MET: 1,
  MEZ: 1,
  CEST: 2,
  MEST: 2,
  MESZ: 2,
  EET: 2,
  SAST: 2,
  EEST: 3,
  MSK: 3,
  MSD: 4,
  PKT: 5,
  ICT: 7,
  WIB: 7,
  SGT: 8,
  HKT: 8,
  AWST: 8,
  JST: 9,
  KST: 9,
  ACST: 9.5,
  ACDT: 10.5,
  AEST: 10,
  AEDT: 11,
  NZST: 12,
  NZDT: 13,
  BRT: -3,
  ART: -3,
  NST: -3.5,
  NDT: -2.5,
  AT: -4,
  AST: -4,
  ADT: -3,
  ET: -5,
  EST: -5,
  EDT: -4,
  CT: -6,
  CST: -6,
  CDT: -5,
  MT: -7,
  MST: -7,
  MDT: -6,
  PT: -8,
  PST: -8,
  PDT: -7,
  AKST: -9,
  AKDT: -8,
  HST: -10,
  // The single letters of RFC 822 that are in use.
  A: -1,
  M: -12,
  N: 1,
  Y: 12,
};

const OFFSET = /^(?:UTC|GMT)?\s*([+-])(\d{1,2}):?(\d{2})?$/i;
export interface DateParts {
  year: number;
  month?: number | undefined;
  day?: number | undefined;
  hour?: number | undefined;
  minute?: number | undefined;
  second?: number | undefined;
  /** As written: `Z`, `+0200`, `EST`, `Europe/Brussels`. */
  zone?: string | undefined;
}

/** The calendar repeats after 400 years. */
const YEARS_400_MS = 146_097 * 86_400_000;

/** Rejects impossible values, but accepts 31 April as 1 May and hour 24 as midnight. */
export function toDate(parts: DateParts): Date | undefined {
  const { year, month = 1, day = 1, hour = 0, minute = 0, second = 0, zone } = parts;
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 24 || minute > 59 || second > 60) return undefined;
  // The first 100 years are shifted, because they would stand for the 20th century.
  const shift = year < 100 ? 400 : 0;
  const shifted = Date.UTC(year + shift, month - 1, day, hour, minute, second);
  const local = shifted - (shift && YEARS_400_MS);
  const offset = zone === undefined ? 0 : zoneOffsetMinutes(zone, local);
  const at = new Date(local - (offset ?? 0) * 60_000);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

/** Two-digit years from 90 on belong to the 20th century. */
export function fullYear(text: string): number {
  const year = Number(text);
  if (text.length > 2) return year;
  return year >= 90 ? 1900 + year : 2000 + year;
}

/** Returns minutes east of UTC. `at` is the local time, which decides about summer time if the zone is a place. */
function zoneOffsetMinutes(zone: string, at: number): number | undefined {
  if (zone === 'GMT' || zone === 'Z' || zone === '+0000') return 0;
  const [, sign, hours, minutes = '0'] = OFFSET.exec(zone) ?? [];
  if (sign) return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  const named = NAMED_ZONES[zone.toUpperCase()];
  return named === undefined ? placeOffsetMinutes(zone, at) : named * 60;
}

function placeOffsetMinutes(place: string, at: number): number | undefined {
  if (!/^[A-Za-z_]+\/[A-Za-z_/+-]+$/.test(place)) return undefined;
  try {
    const format = new Intl.DateTimeFormat('en', { timeZone: place, timeZoneName: 'longOffset' });
    const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value;
    return name === 'GMT' ? 0 : zoneOffsetMinutes(name ?? '', at);
  } catch (error) {
    if (error instanceof RangeError) return undefined; // The place is not in the tz database.
    throw error;
  }
}
