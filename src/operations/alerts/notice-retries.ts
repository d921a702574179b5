const FIRST_MS = 5_000;
const MAX_MS = 15 * 60_000;
const GIVE_UP_AFTER_MS = 24 * 3_600_000;

/**
 * Returns the delay after a failed attempt in milliseconds, or undefined if the notice has been tried for too long.
 */
export function nextTryAfterMs({ attempts, ageMs }: { attempts: number; ageMs: number }): number | undefined {
  if (ageMs >= GIVE_UP_AFTER_MS) return undefined;
  return Math.min(MAX_MS, FIRST_MS * 2 ** (attempts - 1));
}
