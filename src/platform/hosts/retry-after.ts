/** A site that asks for more is asked again after a day all the same. */
const MAX_WAIT_MS = 24 * 3_600_000;

const HTTP_DATE = /^[A-Z][a-z]{2,8},? /;

/** When a `Retry-After` header, in seconds or as a date, lets us come back: never in the past. */
export function retryAfter(header: string | undefined, now: Date): Date | undefined {
  const waitMs = header === undefined ? undefined : waitOf(header.trim(), now);
  if (waitMs === undefined) return undefined;
  return new Date(now.getTime() + Math.min(Math.max(waitMs, 0), MAX_WAIT_MS));
}

function waitOf(value: string, now: Date): number | undefined {
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  if (!HTTP_DATE.test(value)) return undefined;
  // The old asctime form names no zone and means GMT; Date.parse would take it as local time.
  const at = Date.parse(/GMT|UTC|[+-]\d{4}$/.test(value) ? value : `${value} GMT`);
  return Number.isNaN(at) ? undefined : at - now.getTime();
}

/** How long a host that says "too many requests", but not for how long, is left alone. */
const UNTOLD_WAIT_MS = 60_000;
/** However soon it lets us come back: too many is too many. */
const MIN_CLOSING_MS = 10_000;

/** Until when an answer closes the whole host. A 503 that names no time, like any other failure, may be one sick path. */
export function closesHostUntil(status: number, retryAfter: Date | undefined, now: Date): Date | undefined {
  if (status === 429) {
    const waitMs = retryAfter ? retryAfter.getTime() - now.getTime() : UNTOLD_WAIT_MS;
    return new Date(now.getTime() + Math.max(waitMs, MIN_CLOSING_MS));
  }
  return status === 503 ? retryAfter : undefined;
}
