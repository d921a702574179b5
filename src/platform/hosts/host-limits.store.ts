import { Injectable } from '@nestjs/common';
import { and, eq, inArray, lt, notInArray, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { Database } from '../database/database.js';
import { defineEvent, Events } from '../events/events.js';
import { type HostLimit, hostLimits, hostPaces, type LimitOrigin } from './host-limits.table.js';

export const hostLimitsChanged = defineEvent('hosts.limits-changed', z.object({}));

const LEARNED: LimitOrigin[] = ['header', 'refusal'];
/** Learned limits that a host has not confirmed for this long are deleted, because it may accept more by now. */
const FORGOTTEN_AFTER = sql`interval '30 days'`;

interface NewLimit {
  host: string;
  perMinute: number;
  origin: LimitOrigin;
  because: string;
}

export interface LearnedLimit extends NewLimit {
  /** Age in milliseconds of the request that taught it. Anything learned after that request stays. */
  ageMs: number;
  /** Milliseconds to leave the host alone, until it has forgotten earlier requests. */
  pauseMs: number;
}

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

  async learn({ ageMs, pauseMs, ...limit }: LearnedLimit): Promise<boolean> {
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
    if (taught) await this.notify();
    return taught?.isNew ?? false;
  }

  async set(limit: Pick<NewLimit, 'host' | 'perMinute'>): Promise<void> {
    await this.decide({ ...limit, origin: 'set', because: 'An administrator has set it.' });
    await this.notify();
  }

  async forget(host: string): Promise<void> {
    await this.database.db.delete(hostLimits).where(eq(hostLimits.host, host));
    await this.notify();
  }

  async adopt(limits: ReadonlyMap<string, number>): Promise<void> {
    const because = 'MILLRACE_HOST_LIMITS says so.';
    for (const [host, perMinute] of limits) await this.decide({ host, perMinute, origin: 'environment', because });
    if (limits.size) await this.notify();
  }

  async dropUnnamed(limits: ReadonlyMap<string, number>): Promise<void> {
    const unnamed = notInArray(hostLimits.host, [...limits.keys()]);
    await this.database.db.delete(hostLimits).where(and(eq(hostLimits.origin, 'environment'), unnamed));
    await this.notify();
  }

  async forgetOld(): Promise<void> {
    const old = lt(hostLimits.seenAt, sql`now() - ${FORGOTTEN_AFTER}`);
    await this.database.db.delete(hostLimits).where(and(inArray(hostLimits.origin, LEARNED), old));
    await this.database.db.delete(hostPaces).where(lt(hostPaces.nextAt, sql`now() - interval '1 hour'`));
  }

  private async decide(limit: NewLimit): Promise<void> {
    await this.database.db
      .insert(hostLimits)
      .values(limit)
      .onConflictDoUpdate({ target: hostLimits.host, set: { ...limit, learnedAt: LEARNED_AT, writesAt: null } });
  }

  private notify(): Promise<void> {
    return this.events.publish(this.database.db, hostLimitsChanged, {});
  }
}

/** An unchanged number keeps its date. */
const LEARNED_AT = sql`CASE WHEN ${hostLimits.perMinute} = excluded.per_minute THEN ${hostLimits.learnedAt} ELSE now() END`;
const seconds = (ms: number): SQL => sql`make_interval(secs => ${ms / 1_000}::float8)`;
