/** The times of a source that posts at regular intervals, such as a program that is run every hour. */
export interface Clock {
  /** Seconds between two posts. 0: unknown. */
  period: number;
  /** When the last post was due, in seconds since 1970. */
  at: number;
  /** How far posts are from when they are due, on average, in seconds. */
  spread: number;
  /** Posts that came when they were due, at most MAX_HITS. */
  hits: number;
}

const MIN_PERIOD_SECONDS = 300;
const MAX_PERIOD_SECONDS = 8 * 86_400;
/** A post is on time if it is this close to when it was due. */
const TOLERANCE_SECONDS = 120;
const TOLERANCE_SHARE = 1 / 8;
/** Posts at random times hardly ever produce this many punctual posts in a row with a spread this small. */
const TRUSTED_HITS = 5;
const TRUSTED_SPREAD_SHARE = 1 / 25;
/** Limits how much older posts count, so that a clock that is slow or fast is followed. */
const MAX_HITS = 20;
const MIN_SPREAD_SHARE = 0.1;
/** A feed is often written some seconds after the time that its post states. */
const MARGIN_SECONDS = 10;

export const noClock = (at: number): Clock => ({ period: 0, at, spread: 0, hits: 0 });

/** Learns from a post. Its time is later than those before. */
export function tick(clock: Clock, time: number): void {
  const { period } = clock;
  const gap = time - clock.at;
  const cycles = period ? Math.round(gap / period) : 0;
  const error = gap - cycles * period;
  const isOnTime = Math.abs(error) <= Math.min(TOLERANCE_SECONDS, period * TOLERANCE_SHARE);
  if (isOnTime && cycles > 0) hit(clock, cycles, error);
  else if (!isOnTime || clock.hits < TRUSTED_HITS) miss(clock, time, gap);
}

/** Fits a line through the times of the posts, with the gains of a recursive least squares fit. */
function hit(clock: Clock, cycles: number, error: number): void {
  clock.hits = Math.min(clock.hits + 1, MAX_HITS);
  const count = clock.hits + 1;
  const both = count * (count + 1);
  clock.at += cycles * clock.period + ((2 * (2 * count - 1)) / both) * error;
  clock.period += ((6 / both) * error) / cycles;
  clock.spread += Math.max(1 / clock.hits, MIN_SPREAD_SHARE) * (Math.abs(error) - clock.spread);
}

/** A post at another time halves the trust, and a clock without trust begins again with the last two posts. */
function miss(clock: Clock, time: number, gap: number): void {
  clock.hits = Math.floor(clock.hits / 2);
  if (clock.hits > 1) return;
  clock.period = gap >= MIN_PERIOD_SECONDS && gap <= MAX_PERIOD_SECONDS ? gap : 0;
  clock.at = time;
  clock.spread = 0;
  clock.hits = clock.period ? 1 : 0;
}

/**
 * Seconds after `from` until just after the last regular post before one follower would have waited `enough` seconds
 * for all of them. Undefined: the source posts at no regular times, or a post is overdue.
 */
export function secondsUntilPosted(
  { period, at, spread, hits }: Clock,
  { from, enough }: { from: number; enough: number },
): number | undefined {
  if (hits < TRUSTED_HITS || spread > period * TRUSTED_SPREAD_SHARE) return undefined;
  const next = at + period + 2 * spread + MARGIN_SECONDS - from;
  if (next <= 0) return undefined;
  // Until the post after the last of `posts`, followers wait for 1 + 2 + … + posts periods.
  const posts = Math.ceil((Math.sqrt(1 + (8 * enough) / period) - 1) / 2);
  return next + (Math.max(posts, 1) - 1) * period;
}

/** Stored numbers are negative, and lower than any evidence of bursts, which earlier versions take them for. */
const STORED_BELOW = -10_000;
const STORED_LENGTH = 4;

export function packClock({ period, at, spread, hits }: Clock, now: number): number[] {
  if (!period) return [];
  return [STORED_BELOW - period, STORED_BELOW - now + at, STORED_BELOW - spread, STORED_BELOW - hits];
}

/** A clock that an earlier version has changed is begun again. */
export function unpackClock(packed: number[], start: number, now: number): Clock {
  const period = STORED_BELOW - (packed[start] ?? 0);
  if (packed.length !== start + STORED_LENGTH || period < MIN_PERIOD_SECONDS / 2) return noClock(now);
  const [at, spread, hits] = [packed[start + 1], packed[start + 2], packed[start + 3]] as [number, number, number];
  return { period, at: now - STORED_BELOW + at, spread: STORED_BELOW - spread, hits: STORED_BELOW - hits };
}
