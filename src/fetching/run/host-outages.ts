/** A host is considered down after this many failures in a row. A single source reaches this in its second fetch. */
const MAX_FAILURES = 5;
const FIRST_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 15 * 60_000;
/** Failures further apart than this are not counted together (ms). */
const FORGET_AFTER_MS = 3_600_000;
/** Beyond this number of hosts, the host that failed longest ago is dropped. */
const MAX_HOSTS = 10_000;

export interface HostOutage {
  since: Date;
  until: Date;
  reason: string;
}

interface FailedHost extends HostOutage {
  failures: number;
  lastFailedAt: Date;
}

/** Keeps the many sources of a dead host from each using up their attempts: the host gets one request per pause. */
export class HostOutages {
  private readonly hosts = new Map<string, FailedHost>();

  find(host: string, now: Date): HostOutage | undefined {
    const failed = this.hosts.get(host);
    return failed && failed.until > now ? failed : undefined;
  }

  answered(host: string): void {
    this.hosts.delete(host);
  }

  failed(host: string, reason: string, { askedAt, now }: { askedAt: Date; now: Date }): void {
    const known = this.current(host, now);
    // Requests that were running at the same time count as one failure of a host that is down.
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
