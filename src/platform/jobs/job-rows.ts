import { and, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import type { Db } from '../database/database.js';
import { isAmong } from '../database/planner.js';
import { PreparedQuery } from '../database/prepared-query.js';
import { JOB_DONE, type JobTable, STILL_WAITS } from './job-columns.js';

export interface WaitingRow {
  id: string;
  run: number;
  priority: number;
  runAt: Date;
  owner: string | null;
}

export interface RowRun {
  id: string;
  run: number;
}

export interface Claim {
  id: string;
  fence: number;
  cause?: string | null;
  /** The rows of `JobRows.reading`, by the names given there. */
  read?: Record<string, object>;
}

/** Rows that a claim reads in its own statement. Each claimed row must have one row of every other table. */
interface Reading {
  tables: Record<string, PgTable>;
  /** Joins the other tables, such as `accounts.id = account_id`. */
  on: SQL;
}

interface FencedStatement {
  /** Types of further lists, with one value for each claim. The name is that of a placeholder and of a column. */
  lists?: Record<string, 'int' | 'text'>;
  columns?: SQL;
  only?: SQL;
}

/** Every statement that locks several rows locks them in the order of their ids, which prevents deadlocks. */
export class JobRows {
  private readonly claiming: PreparedQuery<Claim & Record<string, unknown>>;
  private readonly readTables: ReadTable[];
  private readonly ending: PreparedQuery<{ id: string }>;

  constructor(
    private readonly table: JobTable,
    readonly idField: string,
    private readonly options: { where?: SQL; reading?: Reading } = {},
  ) {
    const { where = sql`true`, reading = { tables: {}, on: sql`true` } } = options;
    this.readTables = toReadTables(reading.tables);
    const others = Object.values(reading.tables).filter((other) => other !== table);
    const read = this.readTables.flatMap(({ fields }) => fields);
    this.claiming = new PreparedQuery(sql`
      WITH held AS MATERIALIZED (
        SELECT id AS held_id FROM ${table}
        JOIN unnest(${sql.placeholder('ids')}::bigint[], ${sql.placeholder('runs')}::int[]) AS wanted (wanted_id, wanted_run)
          ON id = wanted_id AND job_run = wanted_run
        WHERE ${isAmong(sql.placeholder('ids'))} AND ${STILL_WAITS} AND ${where} ORDER BY id FOR UPDATE OF ${table}
      )
      UPDATE ${table} SET job_fence = job_fence + 1 FROM held${sql.join(others.map((other) => sql`, ${other}`))}
      WHERE ${table}.id = held_id AND ${reading.on}
      RETURNING ${table}.id, job_fence AS fence, job_cause AS cause
        ${sql.join(read.map(({ column, alias }) => sql`, ${column} AS ${sql.identifier(alias)}`))}`);
    this.ending = new PreparedQuery(sql`
      WITH held AS MATERIALIZED (${this.fenced()})
      UPDATE ${table} SET ${JOB_DONE} FROM held WHERE id = held_id RETURNING id`);
  }

  only(where: SQL): JobRows {
    return new JobRows(this.table, this.idField, { ...this.options, where });
  }

  /** A run finds the rows in `JobRun.read`, as they were when it claimed its own. */
  reading(reading: Reading): JobRows {
    return new JobRows(this.table, this.idField, { ...this.options, reading });
  }

  private get where(): SQL {
    return this.options.where ?? sql`true`;
  }

  /** Begin a query with `WITH held AS MATERIALIZED (${rows.fenced()})` and change only rows that you join to `held`. */
  fenced({ lists = {}, columns, only = sql`true` }: FencedStatement = {}): SQL {
    const names = Object.keys(lists).map((name) => sql`, ${sql.identifier(name)}`);
    const values = Object.entries(lists).map(([name, type]) => sql`, ${sql.placeholder(name)}::${sql.raw(type)}[]`);
    return sql`
      SELECT id AS held_id, claimed_fence AS held_fence${columns && sql`, ${columns}`} FROM ${this.table}
      JOIN unnest(${sql.placeholder('ids')}::bigint[], ${sql.placeholder('fences')}::int[]${sql.join(values)})
        AS claimed (claimed_id, claimed_fence${sql.join(names)}) ON id = claimed_id AND job_fence = claimed_fence
      WHERE ${isAmong(sql.placeholder('ids'))} AND ${STILL_WAITS} AND ${only}
      ORDER BY id FOR NO KEY UPDATE OF ${this.table}`;
  }

  /** Makes the caller the only one whose writes count. Returns undefined for a run that does not wait any more. */
  async claim(pool: pg.Pool, runs: RowRun[]): Promise<(Claim | undefined)[]> {
    const values = { ids: runs.map(({ id }) => id), runs: runs.map(({ run }) => run) };
    const claims = new Map<string, Claim>();
    for (const row of await this.claiming.run(pool, values)) {
      const { id, fence, cause = null } = row;
      claims.set(id, { id, fence, cause, read: readRows(this.readTables, row) });
    }
    return runs.map(({ id }) => claims.get(id));
  }

  async end(pool: pg.Pool, claims: Claim[]): Promise<boolean[]> {
    const ended = new Set((await this.ending.run(pool, claimLists(claims))).map(({ id }) => id));
    return claims.map(({ id }) => ended.has(id));
  }

  /** Call this in the transaction of the effect. If it returns false, another run has taken the row: roll back. */
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

  /** The claims of the workers that have the rows no longer hold. Returns ids, lowest first. */
  async withdraw(db: Db, which: SQL | undefined, { set, limit }: Withdrawal = {}): Promise<string[]> {
    const { rows } = await db.execute<{ id: string }>(sql`
      WITH held AS MATERIALIZED (
        SELECT id AS held_id FROM ${this.table} WHERE ${and(this.where, which)}
        ORDER BY id LIMIT ${limit ?? null} FOR NO KEY UPDATE
      ), withdrawn AS (
        UPDATE ${this.table} SET ${JOB_DONE}${set && sql`, ${set}`} FROM held WHERE id = held_id RETURNING id
      )
      SELECT id FROM withdrawn ORDER BY id`);
    return rows.map(({ id }) => id);
  }

  /** Commit, then pass the result to `Jobs.enqueueRows`. `only` is evaluated under the row lock. */
  async putToWork(db: Db, ids: string[], wanted: PutToWork = {}): Promise<WaitingRow[]> {
    const { only = sql`true`, set } = wanted;
    const { rows } = await db.execute<WaitingRecord>(sql`
      UPDATE ${this.table} SET ${start(wanted)}${set && sql`, ${set}`}
      WHERE id IN (
        SELECT id FROM ${this.table} WHERE ${isAmong(sql.param(ids))} AND job_state <> 'waiting' AND ${this.where}
          AND ${only} ORDER BY id FOR UPDATE
      ) AND job_state <> 'waiting' RETURNING ${RETURNED}`);
    return rows.map(toWaitingRow);
  }

  /** A row comes after the owner's own waiting rows but beside the first one of others, so it overtakes a backlog. */
  async turnsOf(db: Db, owner: string, count: number): Promise<Turn[]> {
    const first = await this.firstTurnOf(db, owner);
    return Array.from({ length: count }, (_, at) => ({
      jobOwner: owner,
      jobPriority: Math.min(MAX_PRIORITY, first + at),
    }));
  }

  private async firstTurnOf(db: Db, owner: string): Promise<number> {
    const { rows } = await db.execute<{ first: number }>(sql`
      SELECT coalesce(greatest(
        (SELECT min(job_priority) FROM ${this.table} WHERE job_state = 'waiting' AND job_run_at <= now() AND ${this.where}),
        (SELECT max(job_priority) + 1 FROM ${this.table}
          WHERE job_state = 'waiting' AND job_owner = ${owner} AND ${this.where})
      ), 1) AS first`);
    // Priority 0 would run before all others.
    return Math.max(1, rows[0]?.first ?? 1);
  }

  async waitingOf(db: Db, owner: string): Promise<number> {
    const { rows } = await db.execute<{ count: number }>(sql`
      SELECT count(*)::int AS count FROM ${this.table}
      WHERE job_state = 'waiting' AND job_owner = ${owner} AND ${this.where}`);
    return rows[0]?.count ?? 0;
  }

  async putToWorkInTurn(db: Db, ids: string[], owner: string): Promise<WaitingRow[]> {
    const first = await this.firstTurnOf(db, owner);
    const turn = sql`least(${MAX_PRIORITY}, ${first}::int - 1 + array_position(${sql.param(ids)}::bigint[], id))`;
    return this.putToWork(db, ids, { owner, priority: turn });
  }

  /** Like `putToWork`, for rows whose time has come, longest due first. Concurrent callers receive different rows. */
  async takeDue(db: Db, { column, now, limit, only = sql`true`, ...wanted }: Due): Promise<WaitingRow[]> {
    const { rows } = await db.execute<WaitingRecord>(sql`
      WITH due AS MATERIALIZED (
        SELECT id AS due_id FROM ${this.table} WHERE ${column} <= ${now} AND job_state <> 'waiting' AND ${this.where} AND ${only}
        ORDER BY ${column} LIMIT ${limit} FOR UPDATE SKIP LOCKED
      )
      UPDATE ${this.table} SET ${start(wanted)} FROM due WHERE id = due_id RETURNING ${RETURNED}`);
    return rows.map(toWaitingRow);
  }

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

  /** The longer a row has been due, the later the next check, up to five minutes: it is probably still queued. */
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

interface ReadTable {
  name: string;
  fields: { field: string; column: PgColumn; alias: string }[];
}

const toReadTables = (tables: Record<string, PgTable>): ReadTable[] =>
  Object.entries(tables).map(([name, table]) => ({
    name,
    fields: Object.entries(getTableColumns(table)).map(([field, column]) => ({
      field,
      column,
      alias: `${name}.${field}`,
    })),
  }));

function readRows(tables: ReadTable[], row: Record<string, unknown>): Record<string, object> {
  const read: Record<string, Record<string, unknown>> = {};
  for (const { name, fields } of tables) {
    const values: Record<string, unknown> = {};
    for (const { field, column, alias } of fields)
      values[field] = row[alias] === null ? null : column.mapFromDriverValue(row[alias]);
    read[name] = values;
  }
  return read;
}

interface Turn {
  jobOwner: string;
  jobPriority: number;
}

interface Start {
  at?: Date | SQL;
  priority?: number | SQL | undefined;
  cause?: string | undefined;
  owner?: string | SQL | undefined;
}

interface PutToWork extends Start {
  only?: SQL | undefined;
  /** Further changes of the rows, in the SET clause. */
  set?: SQL;
}

type Raise = Pick<Start, 'cause' | 'owner'> & { priority: number | SQL };

interface Withdrawal {
  set?: SQL;
  limit?: number;
}

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

const RETURNED = sql.raw('id, job_run AS run, job_priority AS priority, job_run_at AS "runAt", job_owner AS owner');
type WaitingRecord = Omit<WaitingRow, 'runAt'> & { runAt: string | Date };

const toWaitingRow = (row: WaitingRecord): WaitingRow => ({ ...row, runAt: new Date(row.runAt) });

/** The values of the placeholders that every statement with `JobRows.fenced` has. */
export const claimLists = (claims: Claim[]) => ({
  ids: claims.map(({ id }) => id),
  fences: claims.map(({ fence }) => fence),
});

/** The least urgent priority that BullMQ accepts. */
export const MAX_PRIORITY = 2 ** 21 - 1;
