import { type SQL, sql } from 'drizzle-orm';
import { index, integer, type PgColumn, type PgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../database/columns.js';
import type { Db } from '../database/database.js';
import { LostClaim } from './outcomes.js';

/**
 * The columns that make a row the truth about a job, while the queue is only its alarm clock.
 * `waiting` means that a job must exist for it; the sweep makes one if there is none.
 */
export const jobColumns = () => ({
  jobState: text({ enum: ['idle', 'waiting', 'done', 'failed'] })
    .notNull()
    .default('waiting'),
  /** Which putting-to-work this is: part of the job's id, so that a late job of an earlier one is told apart. */
  jobRun: integer().notNull().default(1),
  /** Rises whenever a worker takes the row, so that the effect of an earlier taker is refused. */
  jobFence: integer().notNull().default(0),
  /** As BullMQ's: 0 comes first, then 1, 2, … */
  jobPriority: integer().notNull().default(0),
  jobRunAt: instant().notNull().defaultNow(),
  jobQueuedAt: instant().notNull().defaultNow(),
});

/** What the sweep looks for; only waiting rows are in it, so a large table costs nothing. */
export const waitingIndex = (name: string, table: { jobQueuedAt: PgColumn; jobState: PgColumn }) =>
  index(name)
    .on(table.jobQueuedAt as never)
    .where(sql`job_state = 'waiting'`);

export type JobTable = PgTable & Record<'id' | keyof ReturnType<typeof jobColumns>, PgColumn>;

export interface WaitingRow {
  id: string;
  jobRun: number;
  jobPriority: number;
  jobRunAt: Date;
}

export interface Claim {
  id: string;
  fence: number;
}

/** Claims, fences and finds the rows of one job. `where` narrows a table that several jobs share. */
export class JobRows {
  constructor(
    private readonly table: JobTable,
    /** The field of the job's data that holds the row's id. */
    readonly idField: string,
    private readonly where: SQL = sql`true`,
  ) {}

  /** Makes the caller the only one whose effect counts; undefined if nothing is waiting any more. */
  async claim(db: Db, id: string): Promise<Claim | undefined> {
    const { rows } = await db.execute<{ fence: number }>(sql`
      UPDATE ${this.table} SET job_fence = job_fence + 1
      WHERE id = ${id} AND job_state = 'waiting' RETURNING job_fence AS fence`);
    return rows[0] && { id, fence: rows[0].fence };
  }

  /** Ends the work on a row; throws LostClaim if somebody else has taken it meanwhile. */
  async finish(db: Db, claim: Claim, state: 'done' | 'failed'): Promise<void> {
    await this.whileHeld(db, claim, sql`job_state = ${state}`);
  }

  async postpone(db: Db, claim: Claim, until: Date): Promise<void> {
    await this.whileHeld(db, claim, sql`job_run_at = ${until}`);
  }

  private async whileHeld(db: Db, { id, fence }: Claim, change: SQL): Promise<void> {
    const { rowCount } = await db.execute(sql`
      UPDATE ${this.table} SET ${change} WHERE id = ${id} AND job_state = 'waiting' AND job_fence = ${fence}`);
    if (!rowCount) throw new LostClaim(`row ${id} was taken over by another run`);
  }

  /** Puts rows that are not waiting to work anew; commit, then give what it returns to `Jobs.enqueueRows`. */
  async putToWork(db: Db, ids: string[], at = new Date()): Promise<WaitingRow[]> {
    const { rows } = await db.execute<WaitingRecord>(sql`
      UPDATE ${this.table} SET job_state = 'waiting', job_run = job_run + 1, job_fence = job_fence + 1,
        job_run_at = ${at}, job_queued_at = now()
      WHERE id = ANY(${sql.param(ids)}::bigint[]) AND job_state <> 'waiting' AND ${this.where} RETURNING ${RETURNED}`);
    return rows.map(toWaitingRow);
  }

  /** Rows that wait, are (nearly) due and were last queued longer ago than that; marks them as queued now. */
  async takeUnqueued(db: Db, queuedLongerAgoThanMs: number, limit: number): Promise<WaitingRow[]> {
    const { rows } = await db.execute<WaitingRecord>(sql`
      UPDATE ${this.table} SET job_queued_at = now() WHERE id IN (
        SELECT id FROM ${this.table}
        WHERE job_state = 'waiting' AND job_queued_at < now() - make_interval(secs => ${queuedLongerAgoThanMs / 1000})
          AND job_run_at < now() + interval '1 minute' AND ${this.where}
        ORDER BY job_queued_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
      ) RETURNING ${RETURNED}`);
    return rows.map(toWaitingRow);
  }
}

const RETURNED = sql.raw('id, job_run, job_priority, job_run_at');
type WaitingRecord = { id: string; job_run: number; job_priority: number; job_run_at: string | Date };

function toWaitingRow(row: WaitingRecord): WaitingRow {
  return { id: row.id, jobRun: row.job_run, jobPriority: row.job_priority, jobRunAt: new Date(row.job_run_at) };
}
