import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { index, integer, type PgColumn, type PgTable, text } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import { instant } from '../database/columns.js';
import type { Db } from '../database/database.js';
import { PreparedQuery } from '../database/prepared-query.js';

/**
 * These columns make a row the truth about a job; the queue only says when to run it. `waiting` means that a job must
 * exist for the row: the sweep creates it if there is none.
 */
export const jobColumns = () => ({
  jobState: text({ enum: ['idle', 'waiting', 'done', 'failed'] })
    .notNull()
    .default('waiting'),
  /** Rises each time the row is put to work, which tells a late job of an earlier run apart. */
  jobRun: integer().notNull().default(1),
  /** Rises each time a worker claims the row, so the writes of an earlier claim are refused. */
  jobFence: integer().notNull().default(0),
  /** BullMQ's priority: 0 runs first, then 1, 2, … */
  jobPriority: integer().notNull().default(0),
  jobRunAt: instant().notNull().defaultNow(),
  /** The cause for which the row was put to work, if it is recorded. */
  jobCause: text(),
  /** The owner of the work, for jobs whose owners share the workers fairly. Null if there is none. */
  jobOwner: text(),
  /** When the sweep looks at the row next. The default leaves time for the writer of the row to enqueue it. */
  jobSweepAt: instant().notNull().default(sql`now() + interval '5 seconds'`),
});

/** The sweep's index. It contains waiting rows only, so the size of the table does not matter. */
export const waitingIndex = (name: string, table: { jobSweepAt: PgColumn }) =>
  index(name)
    .on(table.jobSweepAt as never)
    .where(sql`job_state = 'waiting'`);

/**
 * Condition for a row that is looked up by id and still waits. Statistics are usually taken while few rows wait, so
 * with a plain comparison the planner would read the whole index of waiting rows, which is large exactly when it
 * matters.
 */
export const STILL_WAITS = sql`job_state || '' = 'waiting'`;

type JobTable = PgTable & Record<'id' | keyof ReturnType<typeof jobColumns>, PgColumn>;

export interface WaitingRow {
  id: string;
  jobRun: number;
  jobPriority: number;
  jobRunAt: Date;
  jobOwner: string | null;
}

/** The run of a row that a job was enqueued for. */
export interface RowRun {
  id: string;
  run: number;
}

/** A worker's exclusive right to write for a row. */
export interface Claim {
  id: string;
  fence: number;
  /** The cause for which the row was put to work. */
  cause?: string | null;
}

/** Claims, fences and finds the rows of one job. `where` selects the job's rows in a table that several jobs share. */
export class JobRows {
  private readonly claiming: PreparedQuery<Claim>;
  private readonly ending: PreparedQuery<{ id: string }>;

  constructor(
    private readonly table: JobTable,
    /** The field of the job's data that holds the row's id. */
    readonly idField: string,
    private readonly where: SQL = sql`true`,
  ) {
    // Every statement that locks several rows locks them in the order of their ids, which prevents deadlocks.
    this.claiming = new PreparedQuery(sql`
      WITH held AS MATERIALIZED (
        SELECT id AS held_id FROM ${table}
        JOIN unnest(${sql.placeholder('ids')}::bigint[], ${sql.placeholder('runs')}::int[]) AS wanted (wanted_id, wanted_run)
          ON id = wanted_id AND job_run = wanted_run
        WHERE ${isAmong(sql.placeholder('ids'))} AND ${STILL_WAITS} AND ${where} ORDER BY id FOR UPDATE OF ${table}
      )
      UPDATE ${table} SET job_fence = job_fence + 1 FROM held WHERE id = held_id RETURNING id, job_fence AS fence, job_cause AS cause`);
    this.ending = new PreparedQuery(sql`
      WITH held AS MATERIALIZED (
        SELECT id AS held_id FROM ${table}
        JOIN unnest(${sql.placeholder('ids')}::bigint[], ${sql.placeholder('fences')}::int[]) AS claimed (claimed_id, claimed_fence)
          ON id = claimed_id AND job_fence = claimed_fence
        WHERE ${isAmong(sql.placeholder('ids'))} AND ${STILL_WAITS} ORDER BY id FOR UPDATE OF ${table}
      )
      UPDATE ${table} SET job_state = 'done' FROM held WHERE id = held_id RETURNING id`);
  }

  /** Makes the caller the only one whose writes count. Returns undefined for a run that does not wait any more. */
  async claim(pool: pg.Pool, runs: RowRun[]): Promise<(Claim | undefined)[]> {
    const values = { ids: runs.map(({ id }) => id), runs: runs.map(({ run }) => run) };
    const claims = new Map((await this.claiming.run(pool, values)).map((claim) => [claim.id, claim]));
    return runs.map(({ id }) => claims.get(id));
  }

  /**
   * Ends the work on rows. Returns for each claim whether it was still valid; a row that another run has taken is
   * unchanged.
   */
  async end(pool: pg.Pool, claims: Claim[]): Promise<boolean[]> {
    const values = { ids: claims.map(({ id }) => id), fences: claims.map(({ fence }) => fence) };
    const ended = new Set((await this.ending.run(pool, values)).map(({ id }) => id));
    return claims.map(({ id }) => ended.has(id));
  }

  /** Ends one row in the transaction of its effect. If it returns false, another run has taken the row: roll back. */
  async finish(db: Db, claim: Claim, state: 'done' | 'failed'): Promise<boolean> {
    return this.changeHeld(db, claim, sql`job_state = ${state}`);
  }

  /** Locks the row until the transaction ends. Returns false if another run has taken it. */
  async hold(db: Db, { id, fence }: Claim): Promise<boolean> {
    const { rowCount } = await db.execute(sql`
      SELECT FROM ${this.table} WHERE id = ${id} AND job_fence = ${fence} AND ${STILL_WAITS} FOR NO KEY UPDATE`);
    return rowCount === 1;
  }

  async postpone(db: Db, claim: Claim, until: Date): Promise<boolean> {
    return this.changeHeld(db, claim, sql`job_run_at = ${until}, job_sweep_at = ${until}`);
  }

  private async changeHeld(db: Db, { id, fence }: Claim, change: SQL): Promise<boolean> {
    const { rowCount } = await db.execute(sql`
      UPDATE ${this.table} SET ${change} WHERE id = ${id} AND job_fence = ${fence} AND ${STILL_WAITS}`);
    return rowCount === 1;
  }

  /**
   * Puts rows that are not waiting to work again. Commit, then pass the result to `Jobs.enqueueRows`. `only` is
   * evaluated under the row lock, so nobody can have worked on the row since.
   */
  async putToWork(db: Db, ids: string[], wanted: Start & { only?: SQL | undefined } = {}): Promise<WaitingRow[]> {
    const { only = sql`true` } = wanted;
    const { rows } = await db.execute<WaitingRecord>(sql`
      UPDATE ${this.table} SET ${start(wanted)}
      WHERE id IN (
        SELECT id FROM ${this.table} WHERE ${isAmong(sql.param(ids))} AND job_state <> 'waiting' AND ${this.where}
          AND ${only} ORDER BY id FOR UPDATE
      ) AND job_state <> 'waiting' RETURNING ${RETURNED}`);
    return rows.map(toWaitingRow);
  }

  /**
   * Returns the priorities of `count` new rows of an owner, for jobs whose owners share the workers fairly. A row
   * comes after the owner's own waiting rows and beside the first waiting row of everybody else. The first row of an
   * owner who had none waiting therefore overtakes the backlog of the others, and a waiting row is overtaken by no
   * more rows of one owner than it has places ahead of it.
   */
  async turnsOf(db: Db, owner: string, count: number): Promise<number[]> {
    const { rows } = await db.execute<{ first: number }>(sql`
      SELECT coalesce(greatest(
        (SELECT min(job_priority) FROM ${this.table} WHERE job_state = 'waiting' AND job_run_at <= now() AND ${this.where}),
        (SELECT max(job_priority) + 1 FROM ${this.table}
          WHERE job_state = 'waiting' AND job_owner = ${owner} AND ${this.where})
      ), 1) AS first`);
    // Priority 0 would run before all others.
    const first = Math.max(1, rows[0]?.first ?? 1);
    return Array.from({ length: count }, (_, at) => Math.min(MAX_PRIORITY, first + at));
  }

  /** Counts the rows of an owner that wait or are being worked on. */
  async waitingOf(db: Db, owner: string): Promise<number> {
    const { rows } = await db.execute<{ count: number }>(sql`
      SELECT count(*)::int AS count FROM ${this.table}
      WHERE job_state = 'waiting' AND job_owner = ${owner} AND ${this.where}`);
    return rows[0]?.count ?? 0;
  }

  /** Like `putToWork`, for jobs whose owners share the workers fairly. The order of `ids` is kept. */
  async putToWorkInTurn(db: Db, ids: string[], owner: string): Promise<WaitingRow[]> {
    const [first = 1] = await this.turnsOf(db, owner, 1);
    const turn = sql`least(${MAX_PRIORITY}, ${first}::int - 1 + array_position(${sql.param(ids)}::bigint[], id))`;
    return this.putToWork(db, ids, { owner, priority: turn });
  }

  /**
   * Like `putToWork`, for rows whose time has come, longest due first. Concurrent callers never receive the same row.
   */
  async takeDue(db: Db, { column, now, limit, only = sql`true`, ...wanted }: Due): Promise<WaitingRow[]> {
    const { rows } = await db.execute<WaitingRecord>(sql`
      WITH due AS MATERIALIZED (
        SELECT id AS due_id FROM ${this.table} WHERE ${column} <= ${now} AND job_state <> 'waiting' AND ${this.where} AND ${only}
        ORDER BY ${column} LIMIT ${limit} FOR UPDATE SKIP LOCKED
      )
      UPDATE ${this.table} SET ${start(wanted)} FROM due WHERE id = due_id RETURNING ${RETURNED}`);
    return rows.map(toWaitingRow);
  }

  /** Returns those of the runs that their rows still wait for. */
  async waiting(db: Db, runs: RowRun[]): Promise<RowRun[]> {
    const ids = sql.param(runs.map(({ id }) => id));
    const { rows } = await db.execute<{ id: string; run: number }>(sql`
      SELECT id, job_run AS run FROM ${this.table}
      JOIN unnest(${ids}::bigint[], ${sql.param(runs.map(({ run }) => run))}::int[])
        AS wanted (wanted_id, wanted_run) ON id = wanted_id AND job_run = wanted_run
      WHERE ${isAmong(ids)} AND ${STILL_WAITS} AND ${this.where}`);
    return rows;
  }

  async runAt(db: Db, id: string): Promise<Date | undefined> {
    const { rows } = await db.execute<{ at: string | Date }>(
      sql`SELECT job_run_at AS at FROM ${this.table} WHERE id = ${id}`,
    );
    return rows[0] && new Date(rows[0].at);
  }

  /** Makes waiting rows more urgent. Pass the result to `Jobs.raisePriority`. */
  async raise(db: Db, ids: string[], { priority, cause, owner }: Raise): Promise<WaitingRow[]> {
    const { rows } = await db.execute<WaitingRecord>(sql`
      UPDATE ${this.table} SET job_priority = ${priority}, job_cause = ${cause ?? null}, job_owner = ${owner ?? null}
      WHERE id IN (
        SELECT id FROM ${this.table} WHERE ${isAmong(sql.param(ids))} AND ${STILL_WAITS} AND ${this.where}
        ORDER BY id FOR UPDATE
      ) AND job_priority > ${priority} RETURNING ${RETURNED}`);
    return rows.map(toWaitingRow);
  }

  /**
   * Takes waiting rows that the sweep has to check. The longer a row has been due, the later the next check, up to
   * five minutes, because rows in a long queue are usually still queued.
   */
  async takeForSweep(db: Db, everyMs: number, limit: number): Promise<WaitingRow[]> {
    const { rows } = await db.execute<WaitingRecord>(sql`
      UPDATE ${this.table} SET job_sweep_at = greatest(job_run_at,
        now() + greatest(make_interval(secs => ${everyMs / 1000}), least(now() - job_run_at, interval '5 minutes')))
      WHERE id IN (
        SELECT id FROM ${this.table} WHERE job_state = 'waiting' AND job_sweep_at < now() AND ${this.where}
        ORDER BY job_sweep_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
      ) RETURNING ${RETURNED}`);
    return rows.map(toWaitingRow);
  }
}

/** Add this beside a join by id: the planner estimates the number of rows of a list better than that of a join. */
export const isAmong = (ids: SQLWrapper) => sql`id = ANY(${ids}::bigint[])`;

interface Start {
  at?: Date | SQL;
  /** A number, or an expression over the row. */
  priority?: number | SQL | undefined;
  cause?: string | undefined;
  /** The owner, as a value or as an expression over the row. */
  owner?: string | SQL | undefined;
}

type Raise = Pick<Start, 'cause' | 'owner'> & { priority: number | SQL };

interface Due extends Pick<Start, 'priority' | 'cause' | 'owner'> {
  /** The column with the time from which a row is due. It needs an index that excludes waiting rows. */
  column: PgColumn;
  now: Date;
  limit: number;
  only?: SQL | undefined;
}

function start({ at = sql`now()`, priority = sql`job_priority`, cause, owner }: Start): SQL {
  return sql`job_state = 'waiting', job_run = job_run + 1, job_fence = job_fence + 1, job_run_at = ${at},
    job_priority = ${priority}, job_cause = ${cause ?? null}, job_owner = ${owner ?? null},
    job_sweep_at = now() + interval '5 seconds'`;
}

const RETURNED = sql.raw('id, job_run, job_priority, job_run_at, job_owner');
type WaitingRecord = {
  id: string;
  job_run: number;
  job_priority: number;
  job_run_at: string | Date;
  job_owner: string | null;
};

function toWaitingRow(row: WaitingRecord): WaitingRow {
  return {
    id: row.id,
    jobRun: row.job_run,
    jobPriority: row.job_priority,
    jobRunAt: new Date(row.job_run_at),
    jobOwner: row.job_owner,
  };
}

/** The least urgent priority that BullMQ accepts. */
export const MAX_PRIORITY = 2 ** 21 - 1;
