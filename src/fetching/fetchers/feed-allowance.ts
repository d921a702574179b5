import type { Allowance } from '../../sources/fetch-states.table.js';

/** Upper limit of the interval that a feed or its server may request (seconds). */
const MAX_SECONDS = 24 * 3_600;

export function feedAllowance(headers: Record<string, string>, limits: Allowance, now: Date): Allowance {
  const seconds = Math.max(limits.everySeconds ?? 0, freshFor(headers, now));
  const everySeconds = Math.min(seconds, MAX_SECONDS);
  return { ...limits, everySeconds: everySeconds > 0 ? everySeconds : undefined };
}

/** `Age` is the part of the lifetime (seconds) that a cache on the way has already used. */
function freshFor(headers: Record<string, string>, now: Date): number {
  const cacheControl = headers['cache-control'];
  if (cacheControl === undefined) return untilExpiry(headers, now);
  if (/(?:^|[\s,])no-(?:cache|store)(?:$|[\s,])/i.test(cacheControl)) return 0;
  const ages = [...cacheControl.matchAll(/(?:^|[\s,])(?:s-maxage|max-age)\s*=\s*"?(\d+)/gi)].map(([, age]) =>
    Number(age),
  );
  if (ages.length === 0) return untilExpiry(headers, now);
  return Math.max(0, Math.max(...ages) - (Number(headers.age) || 0));
}

function untilExpiry({ expires = '', date = '' }: Record<string, string>, now: Date): number {
  const expiresAt = Date.parse(expires);
  const sentAt = Date.parse(date);
  const seconds = (expiresAt - (Number.isNaN(sentAt) ? now.getTime() : sentAt)) / 1_000;
  return seconds > 0 ? Math.round(seconds) : 0;
}
