import type { Allowance } from '../../sources/fetch-states.table.js';

const HOUR_MS = 3_600_000;
const WEEK_HOURS = 7 * 24;

export function afterSkippedTimes(at: Date, { skipHours = [], skipDays = [] }: Allowance): Date {
  if (!skipHours.length && !skipDays.length) return at;
  const thisHour = Math.floor(at.getTime() / HOUR_MS) * HOUR_MS;
  for (let hours = 0; hours <= WEEK_HOURS; hours++) {
    const start = new Date(thisHour + hours * HOUR_MS);
    if (skipHours.includes(start.getUTCHours()) || skipDays.includes(start.getUTCDay())) continue;
    return start > at ? start : at;
  }
  return at; // A source that excludes every hour of the week cannot mean it.
}
