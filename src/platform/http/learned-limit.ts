import type { HostLimit } from './host-limits.table.js';
import type { SentCounts } from './sent-by-all.js';

const MINUTE_MS = 60_000;
const ROUNDING_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A refusal after fewer requests may be one sick path rather than a limit of the host. */
export const FEW = 10;
/** What is left of a limit that was kept, and yet refused. */
const LOWERED = 0.8;

export type KnownLimit = Pick<HostLimit, 'perMinute' | 'origin' | 'learnedAt'>;

/**
 * Since when the host has counted what filled its minute (milliseconds since 1970). Whether it counts fixed minutes or the last 60
 * seconds, `Retry-After` says when that minute ends, or when the first request in it is forgotten, in seconds that are rounded up.
 */
export function fullMinuteSince(retryAfter: Date | undefined, now: Date): number {
  const waitMs = retryAfter ? retryAfter.getTime() - now.getTime() : 0;
  // Where it does not say so nothing is sure to be part of it.
  if (waitMs <= 0 || waitMs > MINUTE_MS) return now.getTime() + MINUTE_MS;
  return now.getTime() + waitMs - ROUNDING_MS - MINUTE_MS;
}

/** The last 60 seconds were part of two of the host's minutes at most, so that half of what they held fits into one, whatever it says. */
export function takenForSure({ since, lastMinute }: SentCounts): number {
  return Math.max(since, Math.floor(lastMinute / 2));
}

/** Of a host that had no limit. Undefined: it may be one sick path. `isSecond`: another path of it was refused lately. */
export function firstLimit(sent: number, isSecond: boolean): number | undefined {
  if (sent >= FEW) return sent;
  return isSecond ? FEW : undefined;
}

/** Of a host that has refused again although its limit was kept; less than a few only if it does so again and again. */
export function loweredLimit({ perMinute, learnedAt }: KnownLimit, used: number, now: Date): number {
  const base = used > 0 ? Math.min(perMinute, used) : perMinute;
  const again = now.getTime() - learnedAt.getTime() < HOUR_MS;
  const least = again ? 1 : Math.min(FEW, perMinute);
  return Math.max(least, Math.floor(base * LOWERED));
}

/** Whether what a header says is to be kept: different paths may tell different limits, of which the strictest holds for a day. */
export function headerChanges(known: KnownLimit | undefined, perMinute: number, now: Date): boolean {
  if (!known) return true;
  if (known.origin !== 'header' && known.origin !== 'refusal') return false;
  if (perMinute < known.perMinute) return true;
  const isOld = now.getTime() - known.learnedAt.getTime() > DAY_MS;
  return known.origin === 'header' && isOld;
}
