import { Injectable } from '@nestjs/common';
import { gt, inArray, lt, sql } from 'drizzle-orm';
import { Database } from '../database/database.js';
import { Events } from '../events/events.js';
import { Clock } from '../time/clock.js';
import { CachedSnapshot } from './cached-snapshot.js';
import { hostBackoffs } from './host-limits.table.js';
import { hostClosed } from './hosts-changed.event.js';

/** How old a process's picture of the closed hosts may be, should it not have heard of a change. */
const PICTURE_AGE_MS = 1000;

export interface HostBackoff {
  host: string;
  until: Date;
  reason: string;
}

/** Which hosts said stop, shared by all processes. Asking costs at most one query a second. */
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
      () => PICTURE_AGE_MS,
    );
    events.subscribe(hostClosed, () => this.closed.outdate());
  }

  async find(host: string): Promise<HostBackoff | undefined> {
    const backoff = (await this.closed.current()).get(host);
    return backoff && backoff.until > this.clock.now() ? backoff : undefined;
  }

  /** A host that is closed for longer already stays so. */
  async close(backoff: HostBackoff): Promise<void> {
    if (backoff.until <= this.clock.now()) return;
    await this.removeOver();
    await this.database.db
      .insert(hostBackoffs)
      .values(backoff)
      .onConflictDoUpdate({
        target: hostBackoffs.host,
        set: { until: sql`excluded.until`, reason: sql`excluded.reason` },
        setWhere: lt(hostBackoffs.until, sql`excluded.until`),
      });
    this.closed.outdate();
    await this.events.publish(this.database.db, hostClosed, {});
  }

  /** Skips rows that another process is just removing or prolonging. */
  private async removeOver(): Promise<void> {
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
