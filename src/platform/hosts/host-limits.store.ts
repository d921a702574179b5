import { Injectable } from '@nestjs/common';
import { and, eq, inArray, lt, notInArray, type SQL, sql } from 'drizzle-orm';
import { Database } from '../database/database.js';
import { Events } from '../events/events.js';
import { type HostLimit, hostLimits, type LimitOrigin } from './host-limits.table.js';
import { hostLimitsChanged } from './hosts-changed.event.js';

const LEARNED: LimitOrigin[] = ['header', 'refusal'];
/** A host that has not refused for so long may take more by now. */
const FORGOTTEN_AFTER = sql`interval '30 days'`;

interface NewLimit {
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

  /** False if it was known, if something newer is, or if somebody has decided. */
  async learn({ ageMs, pauseMs, ...limit }: Learned): Promise<boolean> {
    const nextAt = sql`greatest(${hostLimits.nextAt}, clock_timestamp() + ${seconds(pauseMs)})`;
    const sentAt = sql`clock_timestamp() - ${seconds(ageMs)}`;
    const [taught] = await this.database.db
      .insert(hostLimits)
      .values({ ...limit, nextAt: sql`clock_timestamp() + ${seconds(pauseMs)}` })
      .onConflictDoUpdate({
        target: hostLimits.host,
        set: { ...limit, learnedAt: LEARNED_AT, seenAt: sql`now()`, nextAt },
        setWhere: sql`${inArray(hostLimits.origin, LEARNED)} AND ${lt(hostLimits.seenAt, sentAt)}`,
      })
      .returning({ isNew: sql<boolean>`${hostLimits.learnedAt} = now()` });
    if (taught) await this.tell();
    return taught?.isNew ?? false;
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

  /** What `MILLRACE_HOST_LIMITS` says. */
  async adopt(limits: ReadonlyMap<string, number>): Promise<void> {
    const because = 'MILLRACE_HOST_LIMITS says so.';
    for (const [host, perMinute] of limits) await this.decide({ host, perMinute, origin: 'environment', because });
    if (limits.size) await this.tell();
  }

  /** What `MILLRACE_HOST_LIMITS` said once, and says no more. */
  async dropUnnamed(limits: ReadonlyMap<string, number>): Promise<void> {
    const unnamed = notInArray(hostLimits.host, [...limits.keys()]);
    await this.database.db.delete(hostLimits).where(and(eq(hostLimits.origin, 'environment'), unnamed));
    await this.tell();
  }

  async forgetOld(): Promise<void> {
    const old = lt(hostLimits.seenAt, sql`now() - ${FORGOTTEN_AFTER}`);
    await this.database.db.delete(hostLimits).where(and(inArray(hostLimits.origin, LEARNED), old));
  }

  private async decide(limit: NewLimit): Promise<void> {
    await this.database.db
      .insert(hostLimits)
      .values(limit)
      .onConflictDoUpdate({ target: hostLimits.host, set: { ...limit, learnedAt: LEARNED_AT, writesAt: null } });
  }

  private tell(): Promise<void> {
    return this.events.publish(this.database.db, hostLimitsChanged, {});
  }
}

/** The same number again is nothing new. */
const LEARNED_AT = sql`CASE WHEN ${hostLimits.perMinute} = excluded.per_minute THEN ${hostLimits.learnedAt} ELSE now() END`;
const seconds = (ms: number): SQL => sql`make_interval(secs => ${ms / 1_000}::float8)`;
