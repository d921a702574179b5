import { Injectable } from '@nestjs/common';
import { gt, inArray, lt, sql } from 'drizzle-orm';
import { Clock } from '../clock.js';
import { Database } from '../database/database.js';
import { hostBackoffs } from './host-backoff.table.js';

/** How old a process's picture of the closed hosts may be. */
const PICTURE_AGE_MS = 1000;

export interface HostBackoff {
  host: string;
  until: Date;
  reason: string;
}

/** Which hosts said stop, shared by all processes. Asking costs at most one query a second. */
@Injectable()
export class HostBackoffs {
  private closed = new Map<string, HostBackoff>();
  private picturedAt = Number.NEGATIVE_INFINITY;
  private refreshing: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async find(host: string): Promise<HostBackoff | undefined> {
    if (performance.now() - this.picturedAt > PICTURE_AGE_MS) await this.refresh();
    const backoff = this.closed.get(host);
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
    await this.refreshing; // may have read the table before the row was there
    await this.refresh();
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

  private refresh(): Promise<void> {
    this.refreshing ??= this.takePicture().finally(() => {
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  private async takePicture(): Promise<void> {
    const rows = await this.database.db.select().from(hostBackoffs).where(gt(hostBackoffs.until, this.clock.now()));
    this.closed = new Map(rows.map((row) => [row.host, row]));
    this.picturedAt = performance.now();
  }
}
