import type { HostLimit } from './host-limits.table.js';

const MINUTE_MS = 60_000;
const ROUNDING_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A refusal after fewer requests than this may concern one broken path rather than a limit of the host. */
export const MIN_REQUESTS = 10;
/** Factor by which a limit is lowered if the host refuses although the limit was respected. */
const LOWERED = 0.8;
/** A host that received less than this share of its limit did not refuse because of it. */
const QUIET_SHARE = 0.5;

/** The earliest and the latest possible start of a host's minute, in milliseconds since 1970. */
interface MinuteStart {
  earliest: number;
  latest: number;
}

/** Requests to a host since the earliest start of its minute, since the latest one, and within the last minute. */
interface SentCounts {
  since: number;
  surely: number;
  lastMinute: number;
}

type KnownLimit = Pick<HostLimit, 'perMinute' | 'origin' | 'seenAt'>;

interface Refusal {
  used: number;
  isSecond: boolean;
}

/**
 * Returns when the host began to count the minute that was full. `Retry-After` names the end of that minute, or the
 * moment at which the first request in it expires, rounded up to seconds. This holds for fixed minutes and for a
 * sliding minute.
 */
export function fullMinuteSince(retryAfter: Date | undefined, now: Date): MinuteStart {
  const waitMs = retryAfter ? retryAfter.getTime() - now.getTime() : 0;
  // Without `Retry-After` no request is certain to belong to that minute.
  const isKnown = waitMs > 0 && waitMs <= MINUTE_MS;
  const latest = now.getTime() + (isKnown ? waitMs - MINUTE_MS : 2 * MINUTE_MS);
  return { earliest: latest - ROUNDING_MS, latest };
}

/**
 * Returns how many requests the host accepted in its full minute at least. Requests between the earliest and the
 * latest start of the minute may belong to the previous one and count only if there are too few others. The last 60
 * seconds overlap at most two of the host's minutes, so half of their requests always fit into one.
 */
export function takenForSure({ since, surely, lastMinute }: SentCounts): number {
  return Math.max(surely >= MIN_REQUESTS ? surely : since, Math.floor(lastMinute / 2));
}

export function firstLimit(sent: number, isSecond: boolean): number | undefined {
  if (sent >= MIN_REQUESTS) return sent;
  return isSecond ? MIN_REQUESTS : undefined;
}

/**
 * Returns a lower limit for a host that refused although its limit was respected. It falls below `MIN_REQUESTS` only
 * if the host refuses repeatedly. Returns undefined if too little was sent for the limit to be the reason: one path
 * may be broken.
 */
export function loweredLimit(known: KnownLimit, { used, isSecond }: Refusal, now: Date): number | undefined {
  const { perMinute, origin, seenAt } = known;
  const isQuiet = used < perMinute * QUIET_SHARE;
  if (isQuiet && !isSecond) return undefined;
  const isAgain = origin === 'refusal' && now.getTime() - seenAt.getTime() < HOUR_MS;
  const least = isAgain && !isQuiet ? 1 : Math.min(MIN_REQUESTS, perMinute);
  return Math.max(least, Math.floor(perMinute * LOWERED));
}

/**
 * Returns whether a limit from a header should be stored. Paths may announce different limits. The strictest one holds
 * until it has not been seen for a day. An unchanged limit is stored again at most once an hour.
 */
export function headerChanges(known: KnownLimit | undefined, perMinute: number, now: Date): boolean {
  if (!known) return true;
  if (known.origin !== 'header' && known.origin !== 'refusal') return false;
  if (perMinute < known.perMinute) return true;
  const ageMs = now.getTime() - known.seenAt.getTime();
  return ageMs > (perMinute === known.perMinute ? HOUR_MS : DAY_MS);
}

/**
 * Returns how long to pause after a refusal, in milliseconds: the host's window, or its `Retry-After` if that is
 * shorter, but not less than a minute if the window is longer than that.
 */
export function pauseAfterRefusal(windowMs: number, retryAfter: Date | undefined, now: Date): number {
  const announcedMs = retryAfter ? retryAfter.getTime() - now.getTime() : windowMs;
  return Math.min(windowMs, Math.max(announcedMs, MINUTE_MS));
}
