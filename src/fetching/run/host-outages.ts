/** A host that failed this often in a row is taken to be down. One source alone reaches it in its second fetch. */
const MAX_FAILURES = 5;
const FIRST_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 15 * 60_000;
/** Failures that lie further apart say nothing about the host as a whole. */
const FORGET_AFTER_MS = 3_600_000;
/** The hosts that failed longest ago are forgotten beyond this number. */
const MAX_HOSTS = 10_000;

export interface HostOutage {
  since: Date;
  /** When the next request is sent to find out whether the host is back. */
  until: Date;
  reason: string;
}

interface FailedHost extends HostOutage {
  failures: number;
  lastFailedAt: Date;
}

/**
 * Which hosts do not answer at all, as seen by this process. It keeps many sources of one dead host from each spending all
 * their attempts: after five failures in a row the host is asked once in a while, by whichever source comes first.
 */
export class HostOutages {
  private readonly hosts = new Map<string, FailedHost>();

  /** Undefined while the host may be asked. */
  find(host: string, now: Date): HostOutage | undefined {
    const failed = this.hosts.get(host);
    return failed && failed.until > now ? failed : undefined;
  }

  answered(host: string): void {
    this.hosts.delete(host);
  }

  /** A request that began at `askedAt` had no answer, or an error of the server. */
  failed(host: string, reason: string, { askedAt, now }: { askedAt: Date; now: Date }): void {
    const known = this.current(host, now);
    // Requests that were under way together are one failure of a host that is down.
    if (known && known.failures >= MAX_FAILURES && askedAt < known.until) return;
    const failures = (known?.failures ?? 0) + 1;
    this.hosts.delete(host);
    this.hosts.set(host, {
      since: known?.since ?? askedAt,
      until: pausedUntil(failures, now),
      reason,
      failures,
      lastFailedAt: now,
    });
    const [oldest] = this.hosts.keys();
    if (this.hosts.size > MAX_HOSTS && oldest !== undefined) this.hosts.delete(oldest);
  }

  private current(host: string, now: Date): FailedHost | undefined {
    const known = this.hosts.get(host);
    return known && now.getTime() - known.lastFailedAt.getTime() < FORGET_AFTER_MS ? known : undefined;
  }
}

function pausedUntil(failures: number, now: Date): Date {
  if (failures < MAX_FAILURES) return now;
  return new Date(now.getTime() + Math.min(FIRST_PAUSE_MS * 2 ** (failures - MAX_FAILURES), MAX_PAUSE_MS));
}
