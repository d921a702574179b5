const FIRST_MS = 5_000;
const MAX_MS = 15 * 60_000;
const GIVE_UP_AFTER_MS = 24 * 3_600_000;

/** How long after a try that failed the next one comes; undefined if nobody has taken the notice for too long. */
export function nextTryAfterMs({ attempts, ageMs }: { attempts: number; ageMs: number }): number | undefined {
  if (ageMs >= GIVE_UP_AFTER_MS) return undefined;
  return Math.min(MAX_MS, FIRST_MS * 2 ** (attempts - 1));
}
