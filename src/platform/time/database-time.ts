/** One reading of PostgreSQL's clock. `sentMs` and `receivedMs` are on the monotonic clock of this process. */
interface ClockReading {
  databaseMs: number;
  sentMs: number;
  receivedMs: number;
}

/** Two clocks drift apart by at most this share of the elapsed time, including adjustments by NTP. */
const MAX_DRIFT = 0.0005;

/** The original function, taken before `replaceDateNow` can change it. */
const wallClockMs = Date.now.bind(Date);

/**
 * PostgreSQL's time, advanced by the monotonic clock of this process between two readings. Neither an offset nor a
 * step of the machine's clock changes it, and it continues while the database is unreachable. Until the first reading
 * it is the machine's time.
 */
export class DatabaseTime {
  /** The database's time minus the monotonic clock. */
  private offsetMs = performance.timeOrigin;
  /** The round trip of the reading in use. It is infinite before the first. */
  private roundTripMs = Number.POSITIVE_INFINITY;
  private readAtMs = 0;

  constructor(
    private readonly monotonicMs: () => number = () => performance.now(),
    private readonly machineMs: () => number = wallClockMs,
  ) {}

  /** Returns whole milliseconds that are never ahead of the database: what is due by this time is due there too. */
  nowMs(): number {
    return Math.floor(this.offsetMs + this.monotonicMs());
  }

  now(): Date {
    return new Date(this.nowMs());
  }

  /**
   * Returns how long to wait until a time that the database has set, or 0 if it may have come already. A time that the
   * database took from its own clock a moment ago counts as come, although this time can be behind by a round trip.
   */
  msUntil(at: Date): number {
    const behindMs = this.roundTripMs === Number.POSITIVE_INFINITY ? 0 : Math.ceil(this.uncertaintyMs());
    return Math.max(0, at.getTime() - this.nowMs() - behindMs);
  }

  /** Returns how far the machine's clock is ahead of the database's. It is negative if it is behind. */
  skewMs(): number {
    if (this.roundTripMs === Number.POSITIVE_INFINITY) return 0;
    return Math.round(this.machineMs() - this.monotonicMs() - this.offsetMs - this.roundTripMs / 2);
  }

  /**
   * The database read its clock between sending and receiving, so the offset lies between two bounds. The lower one is
   * used, which makes this time late by at most a round trip and never early. An answer slower than the one in use is
   * ignored unless it proves that one wrong.
   */
  synchronise({ databaseMs, sentMs, receivedMs }: ClockReading): void {
    const lowest = databaseMs - receivedMs;
    const highest = databaseMs - sentMs;
    const isPossible = lowest <= this.offsetMs && this.offsetMs <= highest;
    if (isPossible && receivedMs - sentMs > this.uncertaintyMs(receivedMs)) return;
    this.offsetMs = lowest;
    this.roundTripMs = receivedMs - sentMs;
    this.readAtMs = receivedMs;
  }

  private uncertaintyMs(atMs = this.monotonicMs()): number {
    return this.roundTripMs + (atMs - this.readAtMs) * MAX_DRIFT;
  }
}

export const databaseTime = new DatabaseTime();

/**
 * Makes `Date.now()` return the database's time in the whole process. BullMQ compares it between processes for delays
 * and job locks, the rate limiter does for its windows, and neither accepts a clock. Returns a function that reverts
 * it.
 */
export function replaceDateNow(): () => void {
  const original = Date.now;
  Date.now = () => databaseTime.nowMs();
  return () => {
    Date.now = original;
  };
}
