import type { AnnouncedLimit } from '../platform.js';

/** A platform that announces a longer wait (ms) is asked again after a day. */
const MAX_WAIT_MS = 24 * 3_600_000;

export function resetAt(text: string | undefined, now: Date): Date | undefined {
  const at = text && /^\d{1,12}$/.test(text) ? Number(text) * 1000 : Date.parse(text ?? '');
  if (Number.isNaN(at)) return undefined;
  return new Date(Math.min(Math.max(at, now.getTime()), now.getTime() + MAX_WAIT_MS));
}

export function announcedLimit(
  left: string | undefined,
  reset: string | undefined,
  now: Date,
): AnnouncedLimit | undefined {
  const until = resetAt(reset, now);
  if (!until || !left || !/^\d{1,9}$/.test(left)) return undefined;
  return { remaining: Number(left), until };
}
