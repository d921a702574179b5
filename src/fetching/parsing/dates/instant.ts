import { zoneOffsetMinutes } from './zones.js';

/** A point in time taken apart; the month counts from 1. */
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

/** Refuses what no clock and calendar has, but takes a 31st of April for the day after the 30th, and hour 24 for midnight. */
export function toDate(parts: DateParts): Date | undefined {
  const { year, month = 1, day = 1, hour = 0, minute = 0, second = 0, zone } = parts;
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 24 || minute > 59 || second > 60) return undefined;
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  local.setUTCHours(hour, minute, second);
  const offset = zone === undefined ? 0 : zoneOffsetMinutes(zone, local);
  const at = new Date(local.getTime() - (offset ?? 0) * 60_000);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

/** Two-digit years: from 90 on they belong to the last century. */
export function fullYear(text: string): number {
  const year = Number(text);
  if (text.length > 2) return year;
  return year >= 90 ? 1900 + year : 2000 + year;
}
