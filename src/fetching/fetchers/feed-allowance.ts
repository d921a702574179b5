import type { Allowance } from '../../sources/fetch-states.table.js';

/** Whatever a feed or its server asks for. */
const MAX_SECONDS = 24 * 3_600;

/** How often a feed may be asked: the feed's own wish or what its server lets us keep, whichever is longer. */
export function feedAllowance(headers: Record<string, string>, wishes: Allowance, now: Date): Allowance {
  const seconds = Math.max(wishes.everySeconds ?? 0, freshFor(headers, now));
  const everySeconds = Math.min(seconds, MAX_SECONDS);
  return { ...wishes, everySeconds: everySeconds > 0 ? everySeconds : undefined };
}

/** Seconds for which the answer stays good by HTTP's rules. `Age` is what a cache on the way has already used up. */
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
