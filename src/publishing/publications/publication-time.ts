import { ApiError } from '../../platform/errors/api-error.js';
import type { RequestedTime } from './publication-requests.js';
import type { Publication } from './publications.table.js';
import { toInstant, toWallClock } from './wall-clock.js';

export type PublicationTime = Pick<Publication, 'scheduledAt' | 'localTime' | 'timezone' | 'slotAt'>;

/** Local times up to this far in the past (ms) are accepted, because clocks differ and requests take time. */
const TOLERANCE_MS = 60_000;

/**
 * An instant that passed less than `graceMs` ago means now, so that a producer may hand in what is due. A local time is
 * what a person chose, so a past one is taken for a mistake.
 */
export function timeOf(
  { scheduledAt, localTime, ...given }: RequestedTime,
  { now, graceMs }: { now: Date; graceMs: number },
): PublicationTime {
  const timezone = given.timezone ?? null;
  if (localTime !== undefined && timezone !== null) {
    return atWallClock(
      notPast(toInstant(localTime, timezone), { path: 'localTime', now, toleranceMs: TOLERANCE_MS }),
      timezone,
    );
  }
  if (scheduledAt === undefined) return atWallClock(now, timezone);
  const at = notPast(new Date(scheduledAt), { path: 'scheduledAt', now, toleranceMs: graceMs });
  return atWallClock(at < now ? now : at, timezone);
}

/** The local time is what the clock shows at that instant, because a requested time that clocks skip does not exist. */
const atWallClock = (scheduledAt: Date, timezone: string | null): PublicationTime => ({
  scheduledAt,
  localTime: timezone && toWallClock(scheduledAt, timezone),
  timezone,
  slotAt: null,
});

export const slotTime = (slotAt: Date, timezone: string): PublicationTime => ({
  scheduledAt: slotAt,
  localTime: toWallClock(slotAt, timezone),
  timezone,
  slotAt,
});

export function refuseEarlyExpiry(expiresAt: Date | null, scheduledAt: Date, now: Date): void {
  if (!expiresAt) return;
  if (expiresAt <= now) throw invalid('expiresAt', `${expiresAt.toISOString()} is in the past`);
  if (expiresAt > scheduledAt) return;
  throw invalid('expiresAt', `is not after ${scheduledAt.toISOString()}, when it is to be published`);
}

function notPast(at: Date, { path, now, toleranceMs }: { path: string; now: Date; toleranceMs: number }): Date {
  if (now.getTime() - at.getTime() < toleranceMs) return at;
  throw invalid(path, `${at.toISOString()} is in the past: it is ${now.toISOString()} now`);
}

function invalid(path: string, message: string): ApiError {
  return new ApiError('validation_failed', `${path}: ${message}`, { errors: [{ path, message }] });
}
