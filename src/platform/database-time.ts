/** One reading of PostgreSQL's clock. `sentMs` and `receivedMs` are on the monotonic clock of this process. */
export interface ClockReading {
  databaseMs: number;
  sentMs: number;
  receivedMs: number;
}

/** Two clocks drift apart by at most this share of the time that passes, NTP's adjustments included. */
const MAX_DRIFT = 0.0005;

/** Taken before `replaceDateNow` can change it. */
const wallClockMs = Date.now.bind(Date);

/**
 * PostgreSQL's time, counted on by the monotonic clock of this process between two readings: neither an offset nor a step of
 * the machine's clock changes it, and it goes on while the database is away. Until the first reading it is the machine's time.
 */
export class DatabaseTime {
  /** The database's time minus the monotonic clock. */
  private offsetMs = performance.timeOrigin;
  private roundTripMs = Number.POSITIVE_INFINITY;
  private readAtMs = 0;

  constructor(
    private readonly monotonicMs: () => number = () => performance.now(),
    private readonly machineMs: () => number = wallClockMs,
  ) {}

  /** In whole milliseconds, and never ahead of the database: what is due by this time is due there too. */
  nowMs(): number {
    return Math.floor(this.offsetMs + this.monotonicMs());
  }

  now(): Date {
    return new Date(this.nowMs());
  }

  /** How far the machine's clock is ahead of the database's; negative if it is behind. */
  skewMs(): number {
    if (this.roundTripMs === Number.POSITIVE_INFINITY) return 0;
    return Math.round(this.machineMs() - this.monotonicMs() - this.offsetMs - this.roundTripMs / 2);
  }

  /**
   * The database read its clock between sending and receiving, so the offset lies between two bounds. The lower one is used,
   * which makes this time late by at most a round trip and never early. An answer slower than the one in use is ignored,
   * unless it proves that one wrong.
   */
  synchronise({ databaseMs, sentMs, receivedMs }: ClockReading): void {
    const lowest = databaseMs - receivedMs;
    const highest = databaseMs - sentMs;
    const isPossible = lowest <= this.offsetMs && this.offsetMs <= highest;
    const uncertaintyMs = this.roundTripMs + (receivedMs - this.readAtMs) * MAX_DRIFT;
    if (isPossible && receivedMs - sentMs > uncertaintyMs) return;
    this.offsetMs = lowest;
    this.roundTripMs = receivedMs - sentMs;
    this.readAtMs = receivedMs;
  }
}

/** The time of this process. */
export const databaseTime = new DatabaseTime();

/**
 * BullMQ compares `Date.now()` between processes for delays and for the locks of jobs, as the limiter of requests does for its
 * windows, and neither takes a clock. So in the whole process `Date.now()` tells the database's time. Returns what undoes it.
 */
export function replaceDateNow(): () => void {
  const original = Date.now;
  Date.now = () => databaseTime.nowMs();
  return () => {
    Date.now = original;
  };
}
