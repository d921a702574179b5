import type { RateLimit } from '../../platform/config.js';

/** Calls that count towards a limit. */
export interface Calls {
  underWay: number;
  /** How long ago the others ended, in milliseconds, longest first. */
  endedMsAgo: number[];
}

export interface Room {
  /** Posts that may go out now. */
  now: number;
  /** When the next one may if none may now; undefined if that depends on calls that are under way. */
  nextInMs: number | undefined;
}

export const NO_CALLS: Calls = { underWay: 0, endedMsAgo: [] };

/**
 * How much of a limit is left. A call counts from before it was made until a window after its end: so no window on the
 * platform's own clock holds more than the limit, whenever the calls arrived there.
 */
export function roomWithin(limit: RateLimit | undefined, { underWay, endedMsAgo }: Calls): Room {
  if (!limit) return { now: Number.POSITIVE_INFINITY, nextInMs: undefined };
  // A window that holds both its ends is a moment longer than one that does not.
  const windowMs = limit.windowMs + 1;
  const counting = endedMsAgo.filter((ms) => ms < windowMs);
  const now = limit.most - underWay - counting.length;
  if (now > 0) return { now, nextInMs: undefined };
  // With more taken than there is room for, because the limit was lowered, the first ones to be forgotten make none.
  const decisive = counting[-now];
  return { now: 0, nextInMs: decisive === undefined ? undefined : Math.ceil(windowMs - decisive) };
}

/** Both must have room. */
export function tighter(a: Room, b: Room): Room {
  const now = Math.min(a.now, b.now);
  if (now > 0) return { now, nextInMs: undefined };
  const waits = [a, b].filter((room) => room.now === 0).map(({ nextInMs }) => nextInMs);
  const known = waits.filter((ms) => ms !== undefined);
  return { now: 0, nextInMs: known.length === waits.length ? Math.max(...known) : undefined };
}
