import { Inject, Injectable } from '@nestjs/common';
import { LOG, type Log } from '../log/log.js';
import { databaseTime } from '../time/database-time.js';
import { HostLimits } from './host-limits.js';
import { HostLimitsStore, type LearnedLimit } from './host-limits.store.js';
import type { HostLimit } from './host-limits.table.js';
import {
  firstLimit,
  fullMinuteSince,
  headerChanges,
  loweredLimit,
  MIN_REQUESTS,
  takenForSure,
} from './learned-limit.js';
import { usedLastMinute } from './recently-used.js';
import { SLOT_MS, SlidingCounter } from './sliding-counter.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

export interface AnsweredRequest {
  host: string;
  url: URL;
  sentAt: Date;
}

interface RefusedRequest extends AnsweredRequest {
  retryAfter: Date | undefined;
}

interface HeaderLimit {
  perMinute: number;
  pauseMs: number;
}

@Injectable()
export class LearnedLimits {
  /** Requests of this process. Those of the others are not known, so that a first limit is rather too low. */
  private readonly sent = new SlidingCounter();
  private readonly doubtful = new Map<string, { path: string; at: number }>();

  constructor(
    private readonly limits: HostLimits,
    private readonly store: HostLimitsStore,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Call this for every response except 429. */
  recordAccepted({ host, sentAt }: AnsweredRequest): void {
    this.sent.note(host, sentAt.getTime());
  }

  async applyHeader({ host, sentAt }: AnsweredRequest, { perMinute, pauseMs }: HeaderLimit): Promise<void> {
    if (!headerChanges(await this.limits.find(host), perMinute, databaseTime.now())) return;
    const because = `${host} tells in the headers of its answers that it takes ${perMinute} requests a minute.`;
    await this.learn({ host, perMinute, origin: 'header', because, sentAt, pauseMs });
  }

  async applyRefusal(refused: RefusedRequest): Promise<void> {
    const known = await this.store.find(refused.host);
    if (known?.origin === 'environment' || known?.origin === 'set') return;
    await (known ? this.lower(known, refused) : this.begin(refused));
  }

  private async begin({ host, url, sentAt, retryAfter }: RefusedRequest): Promise<void> {
    const now = databaseTime.now();
    const { earliest, latest } = fullMinuteSince(retryAfter, now);
    const sentSince = (ms: number) => this.sent.since(host, ms, now.getTime());
    const counts = { since: sentSince(earliest), surely: sentSince(latest + SLOT_MS), lastMinute: sentSince(0) };
    const sent = takenForSure(counts);
    const perMinute = firstLimit(sent, this.isSecondPath(host, url.pathname, now));
    if (!perMinute) return;
    const because = `${host} has refused a request (429) after about ${sent} within a minute.`;
    const pauseMs = sent < MIN_REQUESTS ? 0 : MINUTE_MS;
    await this.learn({ host, perMinute, origin: 'refusal', because, sentAt, pauseMs });
  }

  private async lower(known: HostLimit, { host, url, sentAt }: RefusedRequest): Promise<void> {
    const now = databaseTime.now();
    const { used } = usedLastMinute(known, now);
    const perMinute = loweredLimit(known, { used, isSecond: this.isSecondPath(host, url.pathname, now) }, now);
    if (!perMinute) return;
    const because = `${host} has refused a request (429) although no more than ${known.perMinute} a minute were sent.`;
    await this.learn({ host, perMinute, origin: 'refusal', because, sentAt, pauseMs: MINUTE_MS });
  }

  private async learn({ sentAt, ...lesson }: Omit<LearnedLimit, 'ageMs'> & { sentAt: Date }): Promise<void> {
    const isNew = await this.store.learn({ ...lesson, ageMs: databaseTime.nowMs() - sentAt.getTime() });
    this.limits.invalidate();
    const { host, perMinute, because } = lesson;
    if (isNew)
      this.log.info({ event: 'host_limit_learned', host, perMinute, because }, 'Learned the rate limit of a host');
  }

  private isSecondPath(host: string, path: string, now: Date): boolean {
    for (const [name, { at }] of this.doubtful) if (now.getTime() - at > HOUR_MS) this.doubtful.delete(name);
    const before = this.doubtful.get(host);
    this.doubtful.set(host, { path, at: now.getTime() });
    return before !== undefined && before.path !== path;
  }
}
