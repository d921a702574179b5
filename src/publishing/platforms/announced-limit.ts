import type { ToldLimit } from '../platform.js';

/** A platform that says to come back later than this is asked again after a day all the same. */
const MAX_WAIT_MS = 24 * 3_600_000;

/** A moment at which a limit starts anew, as far as it can be believed. */
export function resetAt(text: string | undefined, now: Date): Date | undefined {
  const at = text && /^\d{1,12}$/.test(text) ? Number(text) * 1000 : Date.parse(text ?? '');
  if (Number.isNaN(at)) return undefined;
  return new Date(Math.min(Math.max(at, now.getTime()), now.getTime() + MAX_WAIT_MS));
}

/** What headers tell: how much is left, and when the limit starts anew, in seconds since 1970 or as a date. */
export function toldLimit(left: string | undefined, reset: string | undefined, now: Date): ToldLimit | undefined {
  const until = resetAt(reset, now);
  if (!until || !left || !/^\d{1,9}$/.test(left)) return undefined;
  return { remaining: Number(left), until };
}
