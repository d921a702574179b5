import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { asc, eq, getTableColumns, lt, sql } from 'drizzle-orm';
import { CONFIG, type Config } from '../../platform/config.js';
import { Database } from '../../platform/database/database.js';
import { LOG, type Log } from '../../platform/log/log.js';
import { EventLoopMonitor } from '../../platform/process/event-loop-monitor.js';
import { MemoryGuard } from '../../platform/process/memory-guard.js';
import { databaseTime } from '../../platform/time/database-time.js';
import { Periodic } from '../../platform/time/periodic.js';
import { processReports } from './workers.table.js';

const INTERVAL_MS = 5_000;
/** A process that was not seen for this long counts as gone. */
const GONE_AFTER = sql`interval '30 seconds'`;
const MAX_INTEGER = 2_147_483_647;

export type ProcessReport = Omit<typeof processReports.$inferSelect, 'id' | 'seenAt'>;
type Measured = Pick<ProcessReport, 'skewMs' | 'isMemoryLow' | 'heapPercent' | 'maxStallMs'>;

/** Reports the clock, the memory and the event loop of this process, and reads the reports of the others. */
@Injectable()
export class ProcessReports implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly id = randomUUID();
  private reporting: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
    private readonly database: Database,
    private readonly periodic: Periodic,
    private readonly memory: MemoryGuard,
    private readonly eventLoop: EventLoopMonitor,
  ) {}

  onApplicationBootstrap() {
    this.periodic.everyHere(INTERVAL_MS, 'process report', () => this.reportNow());
    this.memory.onChange(() => void this.reportNow());
  }

  async beforeApplicationShutdown() {
    this.isStopping = true;
    await this.reporting;
    await this.database.db
      .delete(processReports)
      .where(eq(processReports.id, this.id))
      .catch((err) =>
        this.log.debug({ event: 'process_report_not_removed', err }, 'The report of this process is left behind'),
      );
  }

  private reportNow(): Promise<void> {
    this.reporting = this.report(this.measure()).catch((err) =>
      this.log.debug({ event: 'process_not_reported', err }, 'The state of this process could not be reported'),
    );
    return this.reporting;
  }

  private measure(): Measured {
    return {
      skewMs: databaseTime.skewMs(),
      isMemoryLow: this.memory.isLow,
      heapPercent: Math.round(this.memory.heapPercent),
      maxStallMs: Math.round(this.eventLoop.maxStallMs()),
    };
  }

  async report(measured: Partial<Measured>): Promise<void> {
    if (this.isStopping) return;
    const { skewMs, maxStallMs, isMemoryLow, heapPercent } = { ...this.measure(), ...measured };
    const values = { skewMs: toInteger(skewMs), maxStallMs: toInteger(maxStallMs), isMemoryLow, heapPercent };
    await this.database.db
      .insert(processReports)
      .values({ id: this.id, host: hostname(), pid: process.pid, roles: [...this.config.roles], ...values })
      .onConflictDoUpdate({ target: processReports.id, set: { ...values, seenAt: sql`now()` } });
  }

  /** Returns the reports of live processes. */
  async read(): Promise<ProcessReport[]> {
    const { id: _id, seenAt, ...columns } = getTableColumns(processReports);
    return this.database.db
      .select(columns)
      .from(processReports)
      .where(sql`${seenAt} >= now() - ${GONE_AFTER}`)
      .orderBy(asc(processReports.host), asc(processReports.pid));
  }

  async forget(): Promise<void> {
    await this.database.db.delete(processReports).where(lt(processReports.seenAt, sql`now() - ${GONE_AFTER}`));
  }
}

const toInteger = (ms: number) => Math.max(-MAX_INTEGER, Math.min(MAX_INTEGER, ms));
