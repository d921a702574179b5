import type { RateLimit } from '../../platform/config.js';

export interface Calls {
  underWay: number;
  /** The time since each other call ended, in milliseconds, longest first. */
  endedMsAgo: number[];
}

export interface Capacity {
  now: number;
  /** The time until the next post may be sent if none may now. Undefined if that depends on calls in flight. */
  nextInMs: number | undefined;
}

export const NO_CALLS: Calls = { underWay: 0, endedMsAgo: [] };

/** A call counts until one window after its end, so that the limit also holds on the platform's own clock. */
export function capacityWithin(limit: RateLimit | undefined, { underWay, endedMsAgo }: Calls): Capacity {
  if (!limit) return { now: Number.POSITIVE_INFINITY, nextInMs: undefined };
  // A window that includes both its ends is one millisecond longer.
  const windowMs = limit.windowMs + 1;
  const counting = endedMsAgo.filter((ms) => ms < windowMs);
  const now = limit.most - underWay - counting.length;
  if (now > 0) return { now, nextInMs: undefined };
  // After the limit was lowered, the first calls to leave the window free no capacity.
  const decisive = counting[-now];
  return { now: 0, nextInMs: decisive === undefined ? undefined : Math.ceil(windowMs - decisive) };
}

export function tighter(a: Capacity, b: Capacity): Capacity {
  const now = Math.min(a.now, b.now);
  if (now > 0) return { now, nextInMs: undefined };
  const waits = [a, b].filter((capacity) => capacity.now === 0).map(({ nextInMs }) => nextInMs);
  const known = waits.filter((ms) => ms !== undefined);
  return { now: 0, nextInMs: known.length === waits.length ? Math.max(...known) : undefined };
}
