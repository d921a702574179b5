import { waitingRow } from '../../src/platform/jobs/job-columns.js';
import 'reflect-metadata';
import type { INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { count, inArray, sql } from 'drizzle-orm';
import { parseConfig } from '../../src/platform/config.js';
import { Database } from '../../src/platform/database/database.js';
import { Jobs, jobId } from '../../src/platform/jobs/jobs.js';
import { WorkerPools } from '../../src/platform/jobs/process-pools.js';
import { QUEUE_BACKEND, type QueueBackend } from '../../src/platform/jobs/queue-backend.js';
import { Sweep } from '../../src/platform/jobs/sweep.js';
import { createLog } from '../../src/platform/log/log.js';
import { PlatformModule } from '../../src/platform/platform.module.js';
import { NoteWorker, TasksModule, taskJob, tasks } from './tasks.js';

export interface EngineOptions {
  databaseUrl: string;
  redisUrl: string | undefined;
  roles?: string;
  lockMs?: number;
  sweepMs?: number;
  shutdownMs?: number;
  logLevel?: string;
  /** How many finished jobs stay in a queue. */
  kept?: { completed: number; failed: number };
}

/** The platform with one feature for tests, in this process. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const config = parseConfig({
    REDIS_URL: options.redisUrl,
    MILLRACE_ROLES: options.roles ?? 'worker',
    MILLRACE_JOB_LOCK_MS: String(options.lockMs ?? 2_000),
    MILLRACE_SWEEP_MS: String(options.sweepMs ?? 500),
    MILLRACE_SHUTDOWN_MS: String(options.shutdownMs ?? 10_000),
    MILLRACE_KEEP_COMPLETED: options.kept && String(options.kept.completed),
    MILLRACE_KEEP_FAILED: options.kept && String(options.kept.failed),
    MILLRACE_LOG_LEVEL: options.logLevel ?? 'fatal',
  });
  const platform = PlatformModule.on({ config, databaseUrl: options.databaseUrl, log: createLog(config) });
  const app = await Test.createTestingModule({ imports: [platform, TasksModule] }).compile();
  await app.init();
  return new Engine(app);
}

/** The contents of the tables beside `tasks`. */
type Trace = { task_id: string; pid: number; attempt: number; at: string; reason: string };

export class Engine {
  readonly jobs: Jobs;
  readonly database: Database;
  readonly backend: QueueBackend;
  readonly pools: WorkerPools;
  readonly sweep: Sweep;
  readonly notes: NoteWorker;

  constructor(private readonly app: INestApplicationContext) {
    this.jobs = app.get(Jobs);
    this.database = app.get(Database);
    this.backend = app.get(QUEUE_BACKEND);
    this.pools = app.get(WorkerPools);
    this.sweep = app.get(Sweep);
    this.notes = app.get(NoteWorker);
  }

  /** Stores waiting tasks. They get no job until `enqueue` or the sweep. */
  async store(scripts: string[], more: { priority?: number; runAt?: Date } = {}) {
    const values = scripts.map((script) => ({
      script,
      jobPriority: more.priority ?? 0,
      jobRunAt: more.runAt ?? new Date(),
    }));
    return this.database.db.insert(tasks).values(values).returning(waitingRow(tasks));
  }

  async enqueue(scripts: string[], more: { priority?: number; runAt?: Date } = {}): Promise<string[]> {
    const rows = await this.store(scripts, more);
    await this.jobs.enqueueRows(taskJob, rows);
    return rows.map(({ id }) => id);
  }

  /** Stores tasks of an owner, who takes turns with others. They get no job until the sweep. */
  async storeOf(owner: string, count: number) {
    const turns = await taskJob.rows.turnsOf(this.database.db, owner, count);
    const values = turns.map((turn) => ({ script: 'ok', ...turn }));
    return this.database.db.insert(tasks).values(values).returning(waitingRow(tasks));
  }

  async enqueueOf(owner: string, count: number): Promise<string[]> {
    const rows = await this.storeOf(owner, count);
    await this.jobs.enqueueRows(taskJob, rows);
    return rows.map(({ id }) => id);
  }

  async states(ids: string[]): Promise<Record<string, number>> {
    const found = await this.database.db
      .select({ state: tasks.jobState, n: count() })
      .from(tasks)
      .where(inArray(tasks.id, ids))
      .groupBy(tasks.jobState);
    return Object.fromEntries(found.map(({ state, n }) => [state, n]));
  }

  /** Returns the BullMQ job of a row's first run. */
  async queueState(id: string): Promise<string> {
    return this.backend.queue(taskJob.name).getJobState(jobId(taskJob.name, `${id}-1`));
  }

  /** The finished jobs of the queue, newest first, as bull-board reads them. */
  async finished(state: 'completed' | 'failed') {
    const queue = this.backend.queue(taskJob.name);
    const jobs = await queue.getJobs([state]);
    return Promise.all(
      jobs.map(async ({ id = '', data, returnvalue, progress, failedReason, attemptsMade }) => {
        const { logs } = await queue.getJobLogs(id);
        // Each line begins with its time.
        const lines = logs.map((line) => line.slice(line.indexOf(' ') + 1));
        return { id: data.subject, returnvalue, progress, failedReason, attemptsMade, lines };
      }),
    );
  }

  async effects(ids: string[]): Promise<string[]> {
    return (await this.of('task_effects', ids)).map(({ task_id }) => task_id);
  }

  async effectPids(ids: string[]): Promise<number[]> {
    return (await this.of('task_effects', ids)).map(({ pid }) => pid);
  }

  async runs(ids: string[]): Promise<string[]> {
    return (await this.of('task_runs', ids)).map(({ task_id }) => task_id);
  }

  async attempts(ids: string[]): Promise<number[]> {
    return (await this.of('task_runs', ids)).map(({ attempt }) => attempt);
  }

  async runTimes(ids: string[]): Promise<Date[]> {
    return (await this.of('task_runs', ids)).map(({ at }) => new Date(at));
  }

  async failures(ids: string[]): Promise<string[]> {
    return (await this.of('task_failures', ids)).map(({ reason }) => reason);
  }

  /** Returns the effects in the order in which they were written. */
  private async of(table: string, ids: string[]) {
    const { rows } = await this.database.db.execute<Trace>(
      sql`SELECT * FROM ${sql.identifier(table)} WHERE task_id = ANY(${sql.param(ids)}::bigint[]) ORDER BY at`,
    );
    return rows;
  }

  async stop(): Promise<void> {
    await this.app.close();
  }
}
