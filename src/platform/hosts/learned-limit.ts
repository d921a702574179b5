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

interface MinuteStart {
  earliest: number;
  latest: number;
}

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

/** `Retry-After` names the end of the full minute, or when its first request expires, rounded up to seconds. */
export function fullMinuteSince(retryAfter: Date | undefined, now: Date): MinuteStart {
  const waitMs = retryAfter ? retryAfter.getTime() - now.getTime() : 0;
  // Without `Retry-After` no request is certain to belong to that minute.
  const isKnown = waitMs > 0 && waitMs <= MINUTE_MS;
  const latest = now.getTime() + (isKnown ? waitMs - MINUTE_MS : 2 * MINUTE_MS);
  return { earliest: latest - ROUNDING_MS, latest };
}

/** Counts what certainly lay in the full minute. The last 60 s overlap two minutes, so half of them fit into one. */
export function takenForSure({ since, surely, lastMinute }: SentCounts): number {
  return Math.max(surely >= MIN_REQUESTS ? surely : since, Math.floor(lastMinute / 2));
}

export function firstLimit(sent: number, isSecond: boolean): number | undefined {
  if (sent >= MIN_REQUESTS) return sent;
  return isSecond ? MIN_REQUESTS : undefined;
}

/** Falls below `MIN_REQUESTS` only on repeated refusals. Undefined if too little was sent: one path may be broken. */
export function loweredLimit(known: KnownLimit, { used, isSecond }: Refusal, now: Date): number | undefined {
  const { perMinute, origin, seenAt } = known;
  const isQuiet = used < perMinute * QUIET_SHARE;
  if (isQuiet && !isSecond) return undefined;
  const isAgain = origin === 'refusal' && now.getTime() - seenAt.getTime() < HOUR_MS;
  const least = isAgain && !isQuiet ? 1 : Math.min(MIN_REQUESTS, perMinute);
  return Math.max(least, Math.floor(perMinute * LOWERED));
}

/** Paths may announce different limits. The strictest one holds until it has not been seen for a day. */
export function headerChanges(known: KnownLimit | undefined, perMinute: number, now: Date): boolean {
  if (!known) return true;
  if (known.origin !== 'header' && known.origin !== 'refusal') return false;
  if (perMinute < known.perMinute) return true;
  const ageMs = now.getTime() - known.seenAt.getTime();
  return ageMs > (perMinute === known.perMinute ? HOUR_MS : DAY_MS);
}

export function pauseAfterRefusal(windowMs: number, retryAfter: Date | undefined, now: Date): number {
  const announcedMs = retryAfter ? retryAfter.getTime() - now.getTime() : windowMs;
  return Math.min(windowMs, Math.max(announcedMs, MINUTE_MS));
}
