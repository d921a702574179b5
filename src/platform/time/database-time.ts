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

/** PostgreSQL's time, advanced by the monotonic clock. Steps of the machine's clock do not change it. */
export class DatabaseTime {
  private offsetMs = performance.timeOrigin;
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

  /** A time that the database took a moment ago counts as come, although this clock may be behind. */
  msUntil(at: Date): number {
    const behindMs = this.roundTripMs === Number.POSITIVE_INFINITY ? 0 : Math.ceil(this.uncertaintyMs());
    return Math.max(0, at.getTime() - this.nowMs() - behindMs);
  }

  skewMs(): number {
    if (this.roundTripMs === Number.POSITIVE_INFINITY) return 0;
    return Math.round(this.machineMs() - this.monotonicMs() - this.offsetMs - this.roundTripMs / 2);
  }

  /** The lower bound of the offset is used, so this time is late by at most a round trip. */
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

/** BullMQ and the rate limiter compare `Date.now()` between processes, and neither accepts a clock. */
export function replaceDateNow(): () => void {
  const original = Date.now;
  Date.now = () => databaseTime.nowMs();
  return () => {
    Date.now = original;
  };
}
