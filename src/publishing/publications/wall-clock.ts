import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';

export const Zone = z
  .string()
  .max(100)
  .transform((text, context): string => {
    const zone = zoneCalled(text);
    if (zone !== undefined) return zone;
    context.addIssue('is no time zone that is known here; give one such as Europe/Berlin');
    return z.NEVER;
  });

export const WallClock = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/, 'a date and a time without an offset, such as 2026-03-29T02:30')
  .refine(isPossible, 'no calendar and no clock shows this');

/** A time that clocks skip moves forward by the skipped amount. A time that occurs twice means the first one. */
export function toInstant(wallClock: string, zone: string): Date {
  const { epochMilliseconds } = Temporal.PlainDateTime.from(wallClock).toZonedDateTime(zone, {
    disambiguation: 'compatible',
  });
  return new Date(epochMilliseconds);
}

export function toWallClock(instant: Date, zone: string): string {
  const there = Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone).toPlainDateTime();
  return there.toString({ smallestUnit: there.second ? 'second' : 'minute' });
}

/** Offsets are refused, because they do not follow daylight saving time. */
function zoneCalled(text: string): string | undefined {
  if (!/^[a-z]/i.test(text)) return undefined;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text).timeZoneId;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function isPossible(text: string): boolean {
  try {
    Temporal.PlainDateTime.from(text, { overflow: 'reject' });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
