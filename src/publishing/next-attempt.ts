/** Calls that may fail before a post is given up. */
export const MOST_ATTEMPTS = 3;
const FIRST_PAUSE_MS = 60_000;
/** A platform that does not say how long. */
const CLOSED_MS = 15 * 60_000;
/** So long a post whose fate is not known is looked for before a person is asked. */
export const LOOK_FOR_MS = 24 * 3_600_000;
const LOOK_EVERY_MS = [10_000, 60_000, 300_000, 1_800_000];

/** When to try again after so many calls have failed; undefined when that was the last. */
export function nextAttemptAt(attempts: number, now: Date): Date | undefined {
  if (attempts >= MOST_ATTEMPTS) return undefined;
  return plus(now, FIRST_PAUSE_MS * 2 ** Math.max(0, attempts - 1));
}

export function openAgainAt(until: Date | undefined, now: Date): Date {
  return until && until > now ? until : plus(now, CLOSED_MS);
}

/** When to look again for a post whose call was decided on then; undefined when it has been looked for long enough. */
export function nextLookAt(intendedAt: Date, now: Date): Date | undefined {
  const passed = now.getTime() - intendedAt.getTime();
  if (passed > LOOK_FOR_MS) return undefined;
  const pause = LOOK_EVERY_MS.find((ms) => passed < ms * 3) ?? LOOK_EVERY_MS.at(-1) ?? 0;
  return plus(now, pause);
}

/** Why a post is not published any more, if so. */
export function expiryOf(
  { scheduledAt, expiresAt }: { scheduledAt: Date; expiresAt: Date | null },
  graceMs: number,
  now: Date,
): string | undefined {
  if (expiresAt && expiresAt <= now) return `it was to be published before ${expiresAt.toISOString()}`;
  const lateAt = plus(scheduledAt, graceMs);
  return lateAt <= now ? `it was due at ${scheduledAt.toISOString()}, which is too long ago` : undefined;
}

const plus = (date: Date, ms: number) => new Date(date.getTime() + ms);
