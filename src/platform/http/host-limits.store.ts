import { Injectable } from '@nestjs/common';
import { and, eq, inArray, lt, notInArray, type SQL, sql } from 'drizzle-orm';
import { Database } from '../database/database.js';
import { Events } from '../events/events.js';
import { type HostLimit, hostLimits, type LimitOrigin } from './host-limits.table.js';
import { hostsChanged } from './hosts-changed.event.js';

const LEARNED: LimitOrigin[] = ['header', 'refusal'];
/** A host that has not refused for so long may take more by now. */
const FORGOTTEN_AFTER = sql`interval '30 days'`;

export interface NewLimit {
  host: string;
  perMinute: number;
  origin: LimitOrigin;
  because: string;
}

export interface Learned extends NewLimit {
  /** How long ago the request was sent that taught it: what was learned since then is newer. */
  ageMs: number;
  /** How long the host is left alone before its turns begin, so that what was sent before is forgotten. */
  pauseMs: number;
}

/** The limits of hosts, as all processes see them. */
@Injectable()
export class HostLimitsStore {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
  ) {}

  all(): Promise<HostLimit[]> {
    return this.database.db.select().from(hostLimits);
  }

  async find(host: string): Promise<HostLimit | undefined> {
    const [row] = await this.database.db.select().from(hostLimits).where(eq(hostLimits.host, host));
    return row;
  }

  /** False if something newer is known, or somebody has decided. */
  async learn({ ageMs, pauseMs, ...limit }: Learned): Promise<boolean> {
    const nextAt = sql`greatest(${hostLimits.nextAt}, clock_timestamp() + ${seconds(pauseMs)})`;
    const sentAt = sql`clock_timestamp() - ${seconds(ageMs)}`;
    const taught = await this.database.db
      .insert(hostLimits)
      .values({ ...limit, nextAt: sql`clock_timestamp() + ${seconds(pauseMs)}` })
      .onConflictDoUpdate({
        target: hostLimits.host,
        set: { ...limit, learnedAt: sql`now()`, nextAt },
        setWhere: sql`${inArray(hostLimits.origin, LEARNED)} AND ${lt(hostLimits.learnedAt, sentAt)}`,
      })
      .returning({ host: hostLimits.host });
    if (taught.length) await this.tell();
    return taught.length > 0;
  }

  /** Decided by an administrator. */
  async set(limit: Pick<NewLimit, 'host' | 'perMinute'>): Promise<void> {
    await this.decide({ ...limit, origin: 'set', because: 'An administrator has set it.' });
    await this.tell();
  }

  async forget(host: string): Promise<void> {
    await this.database.db.delete(hostLimits).where(eq(hostLimits.host, host));
    await this.tell();
  }

  /** Makes the rows of `MILLRACE_HOST_LIMITS` what it says now. */
  async adopt(limits: ReadonlyMap<string, number>): Promise<void> {
    const origin = 'environment';
    const hosts = [...limits.keys()];
    const over = hosts.length ? notInArray(hostLimits.host, hosts) : undefined;
    await this.database.db.delete(hostLimits).where(and(eq(hostLimits.origin, origin), over));
    for (const [host, perMinute] of limits)
      await this.decide({ host, perMinute, origin, because: 'MILLRACE_HOST_LIMITS says so.' });
    await this.tell();
  }

  async forgetOld(): Promise<void> {
    const old = lt(hostLimits.learnedAt, sql`now() - ${FORGOTTEN_AFTER}`);
    await this.database.db.delete(hostLimits).where(and(inArray(hostLimits.origin, LEARNED), old));
  }

  private async decide(limit: NewLimit): Promise<void> {
    await this.database.db
      .insert(hostLimits)
      .values(limit)
      .onConflictDoUpdate({ target: hostLimits.host, set: { ...limit, learnedAt: sql`now()` } });
  }

  private tell(): Promise<void> {
    return this.events.publish(this.database.db, hostsChanged, {});
  }
}

const seconds = (ms: number): SQL => sql`make_interval(secs => ${ms / 1_000}::float8)`;
