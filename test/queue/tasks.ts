import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Module } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { pgTable, text } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { Id, idColumn } from '../../src/platform/database/columns.js';
import { Database, type Db } from '../../src/platform/database/database.js';
import { defineJob } from '../../src/platform/jobs/job-catalogue.js';
import { jobColumns } from '../../src/platform/jobs/job-columns.js';
import { Handles, type JobHandler, type JobRun } from '../../src/platform/jobs/job-handler.js';
import { JobRows } from '../../src/platform/jobs/job-rows.js';
import { GiveUp, RetryLater } from '../../src/platform/jobs/outcomes.js';
import { JOB_COLUMNS } from './job-columns-sql.js';

/** A feature for tests: rows, a job, a worker. Each task carries a script of what it does. */
export const tasks = pgTable('tasks', { id: idColumn(), script: text().notNull(), ...jobColumns() });

export async function createTaskTables(db: Db): Promise<void> {
  await db.execute(sql.raw(`CREATE TABLE tasks (id bigserial PRIMARY KEY, script text NOT NULL, ${JOB_COLUMNS})`));
  await db.execute(
    sql`CREATE TABLE task_runs (task_id bigint, attempt integer, pid integer, at timestamptz DEFAULT clock_timestamp())`,
  );
  await db.execute(
    sql`CREATE TABLE task_effects (task_id bigint, pid integer, at timestamptz DEFAULT clock_timestamp())`,
  );
  await db.execute(
    sql`CREATE TABLE task_failures (task_id bigint, reason text, at timestamptz DEFAULT clock_timestamp())`,
  );
}

const TaskJob = z.object({ taskId: Id });
type TaskJob = z.infer<typeof TaskJob>;

export const taskJob = defineJob({
  name: 'task',
  data: TaskJob,
  attempts: 3,
  backoff: { type: 'exponential', delay: 100 },
  concurrency: 10,
  rows: new JobRows(tasks, 'taskId'),
});

/** A job without rows. */
const NoteJob = z.object({ text: z.string(), fails: z.boolean().default(false) });
type NoteJob = z.infer<typeof NoteJob>;
export const noteJob = defineJob({
  name: 'note',
  data: NoteJob,
  attempts: 2,
  backoff: { type: 'fixed', delay: 50 },
  concurrency: 1,
});

@Injectable()
@Handles(taskJob)
export class TaskWorker implements JobHandler<TaskJob> {
  constructor(private readonly database: Database) {}

  async run({ taskId }: TaskJob, run: JobRun) {
    const { db } = this.database;
    const script = await this.begin(db, taskId, run.attempt);
    const [act = '', argument = ''] = script.split(' ');
    const started = await this.timesStarted(taskId);
    if (act === 'fail') throw new Error(`task failed: ${argument}`);
    if (act === 'fail-first' && started <= Number(argument)) throw new Error('task failed this time');
    if (act === 'give-up') throw new GiveUp('nothing can help');
    if (act === 'later-first' && started <= Number(argument)) {
      throw new RetryLater(new Date(Date.now() + 200), 'told to wait');
    }
    if (act === 'sleep') await sleep(Number(argument), undefined, { signal: run.signal });
    if (act === 'ignore-signal') await sleep(Number(argument));
    if (act === 'die-first' && started <= Number(argument)) process.kill(process.pid, 'SIGKILL');
    if (act === 'swallow') await run.commit((db) => db.execute(sql`SELECT 1/0`).catch(() => undefined));
    if (act === 'commit-twice') await run.commit(async () => undefined);
    if (act === 'note') {
      run.progress(10, `asking https://ann:secret@example.org/feed?token=${argument}`);
      run.report({ details: { postsCount: 3 } });
    }
    if (act === 'note-long') {
      run.progress(60, 'half of it is done');
      await sleep(Number(argument), undefined, { signal: run.signal });
    }
    if (act === 'dirty') throw new Error('NUL \u0000 and a lone surrogate \ud800');
    await run.commit((db) =>
      db.execute(sql`INSERT INTO task_effects (task_id, pid) VALUES (${taskId}, ${process.pid})`),
    );
  }

  private async begin(db: Db, taskId: string, attempt: number): Promise<string> {
    await db.execute(sql`INSERT INTO task_runs (task_id, attempt, pid) VALUES (${taskId}, ${attempt}, ${process.pid})`);
    const { rows } = await db.execute<{ script: string }>(sql`SELECT script FROM tasks WHERE id = ${taskId}`);
    return rows[0]?.script ?? '';
  }

  private async timesStarted(taskId: string): Promise<number> {
    const { rows } = await this.database.db.execute<{ n: number }>(
      sql`SELECT count(*)::int AS n FROM task_runs WHERE task_id = ${taskId}`,
    );
    return rows[0]?.n ?? 0;
  }

  async failed(db: Db, { taskId }: TaskJob, reason: string) {
    if (reason.includes('hook')) throw new Error('the hook has a mistake');
    await db.execute(sql`INSERT INTO task_failures (task_id, reason) VALUES (${taskId}, ${reason})`);
  }

  async replayed(db: Db, { taskId }: TaskJob) {
    await db.execute(sql`DELETE FROM task_failures WHERE task_id = ${taskId}`);
  }
}

@Injectable()
@Handles(noteJob)
export class NoteWorker implements JobHandler<NoteJob> {
  readonly notes: string[] = [];

  async run({ text, fails }: NoteJob) {
    this.notes.push(text);
    if (fails) throw new Error(`note failed: ${text}`);
  }
}

@Module({ providers: [TaskWorker, NoteWorker] })
export class TasksModule {}
