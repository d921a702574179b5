import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { asc, eq, lt, sql } from 'drizzle-orm';
import type { Config } from '../platform/config.js';
import { CONFIG } from '../platform/config.token.js';
import { Database } from '../platform/database/database.js';
import { databaseTime } from '../platform/database-time.js';
import type { Log } from '../platform/log/log.js';
import { LOG } from '../platform/log/log.token.js';
import { Periodic } from '../platform/periodic.js';
import { processClocks } from './process-clocks.table.js';

const INTERVAL_MS = 5_000;
/** A process that was not seen for this long is not there. */
const GONE_AFTER = sql`interval '30 seconds'`;
const MAX_SKEW_MS = 2_147_483_647;

export type ProcessClock = Pick<typeof processClocks.$inferSelect, 'host' | 'pid' | 'roles' | 'skewMs'>;

/** Reports how far the clock of this process is from the database's, and reads what the others report. */
@Injectable()
export class ProcessClocks implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly id = randomUUID();
  private reporting: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
    private readonly database: Database,
    private readonly periodic: Periodic,
  ) {}

  onApplicationBootstrap() {
    this.periodic.everyHere(INTERVAL_MS, 'clock report', () => {
      this.reporting = this.report(databaseTime.skewMs()).catch((err) =>
        this.log.debug({ event: 'clock_not_reported', err }, 'The clock of this process could not be reported'),
      );
      return this.reporting;
    });
  }

  async beforeApplicationShutdown() {
    this.isStopping = true;
    await this.reporting;
    await this.database.db
      .delete(processClocks)
      .where(eq(processClocks.id, this.id))
      .catch((err) => this.log.debug({ event: 'clock_not_removed', err }, 'The report of this process is left behind'));
  }

  async report(aheadMs: number): Promise<void> {
    if (this.isStopping) return;
    const skewMs = Math.max(-MAX_SKEW_MS, Math.min(MAX_SKEW_MS, aheadMs));
    await this.database.db
      .insert(processClocks)
      .values({ id: this.id, host: hostname(), pid: process.pid, roles: [...this.config.roles], skewMs })
      .onConflictDoUpdate({ target: processClocks.id, set: { skewMs, seenAt: sql`now()` } });
  }

  /** Of the processes that are there. */
  async read(): Promise<ProcessClock[]> {
    const { host, pid, roles, skewMs } = processClocks;
    return this.database.db
      .select({ host, pid, roles, skewMs })
      .from(processClocks)
      .where(sql`${processClocks.seenAt} >= now() - ${GONE_AFTER}`)
      .orderBy(asc(host), asc(pid));
  }

  async forget(): Promise<void> {
    await this.database.db.delete(processClocks).where(lt(processClocks.seenAt, sql`now() - ${GONE_AFTER}`));
  }
}
