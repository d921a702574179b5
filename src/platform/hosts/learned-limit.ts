import type { HostLimit } from './host-limits.table.js';
import type { MinuteStart, SentCounts } from './sent-by-all.js';

const MINUTE_MS = 60_000;
const ROUNDING_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A refusal after fewer requests may be one sick path rather than a limit of the host. */
export const FEW = 10;
/** What is left of a limit that was kept, and yet refused. */
const LOWERED = 0.8;
/** A host that got less than this share of its limit has not refused because of it. */
const QUIET = 0.5;

type KnownLimit = Pick<HostLimit, 'perMinute' | 'origin' | 'seenAt'>;

/** How much the last minute held when a host refused, and whether another path of it was refused lately. */
interface Refusal {
  used: number;
  isSecond: boolean;
}

/**
 * Since when the host has counted what filled its minute. Whether it counts fixed minutes or the last 60 seconds, `Retry-After` says
 * when that minute ends, or when the first request in it is forgotten, in seconds that are rounded up.
 */
export function fullMinuteSince(retryAfter: Date | undefined, now: Date): MinuteStart {
  const waitMs = retryAfter ? retryAfter.getTime() - now.getTime() : 0;
  // Where it does not say so nothing is sure to be part of it.
  const isTold = waitMs > 0 && waitMs <= MINUTE_MS;
  const latest = now.getTime() + (isTold ? waitMs - MINUTE_MS : 2 * MINUTE_MS);
  return { earliest: latest - ROUNDING_MS, latest };
}

/**
 * What was sent between the earliest and the latest start of the minute may have been part of the one before, and counts only where
 * there is too little else. The last 60 seconds were part of two of the host's minutes at most, so that half of what they held fits into one,
 * whatever it says.
 */
export function takenForSure({ since, surely, lastMinute }: SentCounts): number {
  return Math.max(surely >= FEW ? surely : since, Math.floor(lastMinute / 2));
}

/** Of a host that had no limit. Undefined: it may be one sick path. `isSecond`: another path of it was refused lately. */
export function firstLimit(sent: number, isSecond: boolean): number | undefined {
  if (sent >= FEW) return sent;
  return isSecond ? FEW : undefined;
}

/**
 * Of a host that has refused again although its limit was kept; less than a few only if it does so again and again. Undefined: so
 * little was sent that it is not about the limit, and it may be one sick path.
 */
export function loweredLimit(known: KnownLimit, { used, isSecond }: Refusal, now: Date): number | undefined {
  const { perMinute, origin, seenAt } = known;
  const isQuiet = used < perMinute * QUIET;
  if (isQuiet && !isSecond) return undefined;
  const isAgain = origin === 'refusal' && now.getTime() - seenAt.getTime() < HOUR_MS;
  const least = isAgain && !isQuiet ? 1 : Math.min(FEW, perMinute);
  return Math.max(least, Math.floor(perMinute * LOWERED));
}

/**
 * Whether what a header says is to be kept. Different paths may tell different limits, of which the strictest holds until it was not
 * seen for a day; the same one is seen again at most once an hour.
 */
export function headerChanges(known: KnownLimit | undefined, perMinute: number, now: Date): boolean {
  if (!known) return true;
  if (known.origin !== 'header' && known.origin !== 'refusal') return false;
  if (perMinute < known.perMinute) return true;
  const ageMs = now.getTime() - known.seenAt.getTime();
  return ageMs > (perMinute === known.perMinute ? HOUR_MS : DAY_MS);
}

/** What was sent before is forgotten when the host's window is over. One that says when it takes more knows that better, beyond a minute. */
export function pauseAfterRefusal(windowMs: number, retryAfter: Date | undefined, now: Date): number {
  const toldMs = retryAfter ? retryAfter.getTime() - now.getTime() : windowMs;
  return Math.min(windowMs, Math.max(toldMs, MINUTE_MS));
}
