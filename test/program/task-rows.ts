import { inArray, sql } from 'drizzle-orm';
import { Database } from '../../src/platform/database/database.js';
import { createTaskTables, tasks } from '../queue/tasks.js';

/** The tasks of a Millrace in another process, read with SQL. */
export class TaskRows {
  private readonly database: Database;

  constructor(url: string) {
    this.database = new Database(url);
  }

  create(): Promise<void> {
    return createTaskTables(this.database.db);
  }

  /** Nobody enqueues them, so the sweep must. */
  async store(scripts: string[]): Promise<string[]> {
    const values = scripts.map((script) => ({ script, jobSweepAt: new Date(0) }));
    const stored = await this.database.db.insert(tasks).values(values).returning({ id: tasks.id });
    return stored.map(({ id }) => id);
  }

  async states(ids: string[]): Promise<string[]> {
    const found = await this.database.db
      .select({ state: tasks.jobState })
      .from(tasks)
      .where(inArray(tasks.id, ids))
      .orderBy(tasks.id);
    return found.map(({ state }) => state);
  }

  /** Returns the processes that began to run a task, in order. */
  runners(id: string): Promise<number[]> {
    return this.pids('task_runs', id);
  }

  /** Returns the processes whose run of a task had its effect. */
  effects(id: string): Promise<number[]> {
    return this.pids('task_effects', id);
  }

  private async pids(table: 'task_runs' | 'task_effects', id: string): Promise<number[]> {
    const { rows } = await this.database.db.execute<{ pid: number }>(
      sql`SELECT pid FROM ${sql.identifier(table)} WHERE task_id = ${id} ORDER BY at`,
    );
    return rows.map(({ pid }) => pid);
  }

  /** Counts tasks: all, those not done, those without an effect or with two, and the runs that they took. */
  async summary() {
    const { rows } = await this.database.db.execute<
      Record<'tasks' | 'notDone' | 'notOnce' | 'runs' | 'dead', number>
    >(sql`
      SELECT count(*)::int AS tasks,
        count(*) FILTER (WHERE job_state <> 'done')::int AS "notDone",
        count(*) FILTER (WHERE (SELECT count(*) FROM task_effects WHERE task_id = id) <> 1)::int AS "notOnce",
        (SELECT count(*)::int FROM task_runs) AS runs,
        (SELECT count(*)::int FROM dead_letters) AS dead
      FROM tasks`);
    return rows[0];
  }

  async deadLetterReasons(): Promise<string[]> {
    const { rows } = await this.database.db.execute<{ reason: string }>(
      sql`SELECT reason FROM dead_letters ORDER BY id`,
    );
    return rows.map(({ reason }) => reason);
  }

  /** Returns what the feature received when a task failed permanently. */
  async failures(id: string): Promise<string[]> {
    const { rows } = await this.database.db.execute<{ reason: string }>(
      sql`SELECT reason FROM task_failures WHERE task_id = ${id}`,
    );
    return rows.map(({ reason }) => reason);
  }

  async close(): Promise<void> {
    await this.database.onApplicationShutdown();
  }
}
