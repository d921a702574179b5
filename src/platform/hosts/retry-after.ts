/** A host that asks for a longer wait is asked again after a day. */
const MAX_WAIT_MS = 24 * 3_600_000;

const HTTP_DATE = /^[A-Z][a-z]{2,8},? /;

/** Returns when a `Retry-After` header, in seconds or as a date, permits the next request. It is never in the past. */
export function retryAfter(header: string | undefined, now: Date): Date | undefined {
  const waitMs = header === undefined ? undefined : waitOf(header.trim(), now);
  if (waitMs === undefined) return undefined;
  return new Date(now.getTime() + Math.min(Math.max(waitMs, 0), MAX_WAIT_MS));
}

function waitOf(value: string, now: Date): number | undefined {
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  if (!HTTP_DATE.test(value)) return undefined;
  // The old asctime form has no time zone and means GMT, but `Date.parse` would read it as local time.
  const at = Date.parse(/GMT|UTC|[+-]\d{4}$/.test(value) ? value : `${value} GMT`);
  return Number.isNaN(at) ? undefined : at - now.getTime();
}

const DEFAULT_WAIT_MS = 60_000;
/** A host that answers 429 is left alone for at least this long, in milliseconds, whatever it announces. */
const MIN_CLOSING_MS = 10_000;

/** A 503 without a time, like any other failure, may concern one path only, and closes nothing. */
export function closesHostUntil(status: number, retryAfter: Date | undefined, now: Date): Date | undefined {
  if (status === 429) {
    const waitMs = retryAfter ? retryAfter.getTime() - now.getTime() : DEFAULT_WAIT_MS;
    return new Date(now.getTime() + Math.max(waitMs, MIN_CLOSING_MS));
  }
  return status === 503 ? retryAfter : undefined;
}
