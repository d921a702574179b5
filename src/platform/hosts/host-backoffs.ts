import { Injectable } from '@nestjs/common';
import { gt, inArray, lt, sql } from 'drizzle-orm';
import { z } from 'zod';
import { Database } from '../database/database.js';
import { defineEvent, Events } from '../events/events.js';
import { Clock } from '../time/clock.js';
import { CachedSnapshot } from './cached-snapshot.js';
import { hostBackoffs } from './host-limits.table.js';

const hostClosed = defineEvent('hosts.closed', z.object({}));

/** Maximum age in milliseconds of a process's snapshot of the closed hosts, in case a notification was missed. */
const MAX_SNAPSHOT_AGE_MS = 1000;

export interface HostBackoff {
  host: string;
  until: Date;
  reason: string;
}

/** Hosts that asked us to stop, shared by all processes. A lookup costs at most one query per second. */
@Injectable()
export class HostBackoffs {
  private readonly closed: CachedSnapshot<ReadonlyMap<string, HostBackoff>>;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly events: Events,
  ) {
    this.closed = new CachedSnapshot(
      () => this.read(),
      () => MAX_SNAPSHOT_AGE_MS,
    );
    events.subscribe(hostClosed, () => this.closed.invalidate());
  }

  async find(host: string): Promise<HostBackoff | undefined> {
    const backoff = (await this.closed.current()).get(host);
    return backoff && backoff.until > this.clock.now() ? backoff : undefined;
  }

  async close(backoff: HostBackoff): Promise<void> {
    if (backoff.until <= this.clock.now()) return;
    await this.removeExpired();
    await this.database.db
      .insert(hostBackoffs)
      .values(backoff)
      .onConflictDoUpdate({
        target: hostBackoffs.host,
        set: { until: sql`excluded.until`, reason: sql`excluded.reason` },
        setWhere: lt(hostBackoffs.until, sql`excluded.until`),
      });
    this.closed.invalidate();
    await this.events.publish(this.database.db, hostClosed, {});
  }

  private async removeExpired(): Promise<void> {
    const { db } = this.database;
    const over = db
      .select({ host: hostBackoffs.host })
      .from(hostBackoffs)
      .where(lt(hostBackoffs.until, this.clock.now()))
      .for('update', { skipLocked: true });
    await db.delete(hostBackoffs).where(inArray(hostBackoffs.host, over));
  }

  private async read(): Promise<ReadonlyMap<string, HostBackoff>> {
    const rows = await this.database.db.select().from(hostBackoffs).where(gt(hostBackoffs.until, this.clock.now()));
    return new Map(rows.map((row) => [row.host, row]));
  }
}
