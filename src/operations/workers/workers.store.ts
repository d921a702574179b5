import { Injectable } from '@nestjs/common';
import { asc, eq, getTableColumns, lt, sql } from 'drizzle-orm';
import { Database } from '../../platform/database/database.js';
import { processReports, type WorkerRow, workers } from './workers.table.js';

/** A process that was not seen for this long counts as gone. */
const GONE_AFTER = sql`interval '30 seconds'`;
/** A worker that disappeared without deregistering is reported missing for this long. */
const MISSED_FOR = sql`interval '10 minutes'`;

type Heartbeat = Omit<WorkerRow, 'startedAt' | 'lastSeenAt'>;
/** `isThere` means that the worker was seen recently. */
export type KnownWorker = WorkerRow & { isThere: boolean };
export type ProcessReport = Omit<typeof processReports.$inferSelect, 'id' | 'seenAt'>;

/** The processes of the fleet. All times are the database's, so the clocks of a fleet need not agree. */
@Injectable()
export class WorkersStore {
  constructor(private readonly database: Database) {}

  async beat(worker: Heartbeat): Promise<void> {
    const { running, resolutionProblem } = worker;
    await this.database.db
      .insert(workers)
      .values(worker)
      .onConflictDoUpdate({ target: workers.id, set: { running, resolutionProblem, lastSeenAt: sql`now()` } });
  }

  async remove(id: string): Promise<void> {
    await this.database.db.delete(workers).where(eq(workers.id, id));
  }

  async known(): Promise<KnownWorker[]> {
    const rows = await this.database.db
      .select({ worker: workers, isThere: sql<boolean>`${workers.lastSeenAt} >= now() - ${GONE_AFTER}` })
      .from(workers)
      .where(sql`${workers.lastSeenAt} >= now() - ${MISSED_FOR}`)
      .orderBy(asc(workers.startedAt), asc(workers.id));
    return rows.map(({ worker, isThere }) => ({ ...worker, isThere }));
  }

  async report(id: string, report: ProcessReport): Promise<void> {
    await this.database.db
      .insert(processReports)
      .values({ id, ...report })
      .onConflictDoUpdate({ target: processReports.id, set: { ...report, seenAt: sql`now()` } });
  }

  async removeReport(id: string): Promise<void> {
    await this.database.db.delete(processReports).where(eq(processReports.id, id));
  }

  async reports(): Promise<ProcessReport[]> {
    const { id: _id, seenAt, ...columns } = getTableColumns(processReports);
    return this.database.db
      .select(columns)
      .from(processReports)
      .where(sql`${seenAt} >= now() - ${GONE_AFTER}`)
      .orderBy(asc(processReports.host), asc(processReports.pid));
  }

  async forget(): Promise<void> {
    await this.database.db.delete(workers).where(lt(workers.lastSeenAt, sql`now() - ${MISSED_FOR}`));
    await this.database.db.delete(processReports).where(lt(processReports.seenAt, sql`now() - ${GONE_AFTER}`));
  }
}
