import { sql } from 'drizzle-orm';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Api, startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { redisUrl } from '../../../test/harness/redis.js';
import { createTaskTables, TasksModule, taskJob, tasks } from '../../../test/queue/tasks.js';
import { Readiness } from '../../platform/api/readiness.js';
import type { Role } from '../../platform/config.js';
import { waitingRow } from '../../platform/jobs/job-columns.js';
import { JobStatistics } from '../../platform/jobs/job-statistics.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { WorkerPools } from '../../platform/jobs/process-pools.js';
import { Health } from '../health/health.js';
import { OperationsModule } from '../operations.module.js';
import { Queues } from '../queues/queues.js';
import { CanariesStore } from './canaries.store.js';

const WAIT_OPTIONS = { timeout: 20_000, interval: 20 };

describe.each(['PostgreSQL', 'Redis'])('canaries through queues on %s', (backend) => {
  const given = testDatabase();
  const redis = backend === 'Redis' ? redisUrl() : undefined;
  /** This process sends canaries and runs no jobs. */
  let idle: Api;
  /** This process starts later. */
  let worker: Api | undefined;

  beforeAll(async () => {
    await createTaskTables(given.database.db);
    idle = await start('scheduler');
  });
  afterAll(async () => {
    await worker?.stop();
    await idle?.stop();
  });

  function start(...roles: Role[]): Promise<Api> {
    const config = { redisUrl: redis, canaryMs: 500, sweepMs: 600_000, roles: new Set(roles) };
    return startApi({ databaseUrl: given.url, config, modules: [OperationsModule, TasksModule] });
  }
  const execute = (statement: ReturnType<typeof sql>) => given.database.db.execute(statement);

  const canary = async (path: string) =>
    (await idle.app.get(CanariesStore).read()).find((state) => state.path === path);
  const missed = async (api: Api | undefined) =>
    (await api?.app.get(Readiness).problems())?.find(({ path }) => path === 'canary')?.message;

  async function sentAgain(): Promise<void> {
    await execute(sql`UPDATE canaries SET sent_at = now() - interval '1 second'`);
    await vi.waitFor(async () => {
      const { rows } = await execute(sql`SELECT FROM canaries WHERE sent_at < now() - interval '900 ms'`);
      expect(rows).toEqual([]);
    }, WAIT_OPTIONS);
  }
  /** Stops sending and waits until the last canary has returned. */
  async function sendNoMore(path: string): Promise<void> {
    await execute(sql`UPDATE canaries SET sent_at = now() + interval '1 hour' WHERE path = ${path}`);
    await vi.waitFor(async () => expect(await canary(path)).toMatchObject({ waitingMs: null }), WAIT_OPTIONS);
  }
  /** Waits until a canary returns from now on. */
  async function comesBack(path: string): Promise<void> {
    await execute(sql`UPDATE canaries SET returned_at = NULL`);
    await vi.waitFor(async () => {
      expect(await canary(path)).toMatchObject({ waitingMs: null, returnedAgoMs: expect.any(Number) });
    }, WAIT_OPTIONS);
  }

  it('are sent by a fleet as often as by one process', async () => {
    const store = idle.app.get(CanariesStore);
    const turns = async () =>
      (await Promise.all(Array.from({ length: 20 }, () => store.takeDue(['a', 'b'], 60_000)))).flat().toSorted();
    expect(await turns()).toEqual(['a', 'b']);
    expect(await turns()).toEqual([]);
    await execute(sql`UPDATE canaries SET sent_at = now() - interval '1 minute' WHERE path IN ('a', 'b')`);
    expect(await turns()).toEqual(['a', 'b']);
    await execute(sql`DELETE FROM canaries WHERE path IN ('a', 'b')`);
  });

  it('wait at the head of the line, once, and the oldest job is still the oldest', async () => {
    const scripts = Array.from({ length: 300 }, () => ({ script: 'sleep 20' }));
    const rows = await given.database.db.insert(tasks).values(scripts).returning(waitingRow(tasks));
    await idle.app.get(Jobs).enqueueRows(taskJob, rows);
    await sentAgain();
    await sentAgain();
    const [note, task] = await idle.app.get(Queues).list();
    expect(note).toMatchObject({ name: 'note', waiting: 1, oldestWaitingSeconds: null });
    expect(task).toMatchObject({ name: 'task', waiting: 301, oldestWaitingSeconds: expect.any(Number) });
    expect(await canary('task')).toMatchObject({ returnedAgoMs: null });

    worker = await start('worker');
    await vi.waitFor(async () => expect((await canary('task'))?.returnedAgoMs).not.toBeNull(), WAIT_OPTIONS);
    const left = await execute(sql`SELECT FROM tasks WHERE job_state = 'waiting'`);
    expect(left.rows.length).toBeGreaterThan(0);
  });

  it('make a process with workers ready when they have come back from every queue', async () => {
    await vi.waitFor(async () => expect(await missed(worker)).toBeUndefined(), WAIT_OPTIONS);
    await sendNoMore('note');
    // A canary that was sent at the last moment may still return.
    await vi.waitFor(async () => {
      await execute(sql`UPDATE canaries SET waiting_since = now() - interval '52 seconds' WHERE path = 'note'`);
      expect(await missed(worker)).toBe('has not come back from note');
    }, WAIT_OPTIONS);
    expect(await missed(idle)).toBeUndefined();
    await sentAgain();
    await comesBack('note');
    expect(await missed(worker)).toBeUndefined();
  });

  it('are counted nowhere, and are no dead letters', async () => {
    await comesBack('note');
    await worker?.app.get(JobStatistics).store();
    for (const table of ['job_minutes', 'job_runs', 'dead_letters'])
      expect((await execute(sql`SELECT FROM ${sql.identifier(table)} WHERE queue = 'note'`)).rows, table).toEqual([]);
  });

  it('come again after the queue was lost', async () => {
    if (redis) {
      const connection = new Redis(redis);
      await connection.flushdb();
      await connection.quit();
    } else await execute(sql`DELETE FROM bullmq.job`);
    await comesBack('task');
    await comesBack('note');
  });

  it('are not missed from a paused queue, are no work in it, and come back once it is resumed', async () => {
    await idle.app.get(Queues).pause('note');
    await vi.waitFor(
      async () => expect(await canary('note')).toMatchObject({ isPaused: true, waitingMs: null }),
      WAIT_OPTIONS,
    );
    expect((await idle.app.get(Queues).list())[0]).toMatchObject({ name: 'note', paused: true, waiting: 0 });
    await execute(sql`UPDATE canaries SET returned_at = now() - interval '1 hour' WHERE path = 'note'`);
    expect(await missed(worker)).toBeUndefined();
    await idle.app.get(Queues).resume('note');
    await comesBack('note');
    expect(await canary('note')).toMatchObject({ isPaused: false });
  });

  it('that do not come back, although a worker has capacity, are a standstill', async () => {
    const alerts = async () => {
      idle.clock.advance(2_000);
      return (await idle.app.get(Health).read()).alerts.map(({ code, message }) => `${code}: ${message}`);
    };
    expect(await alerts()).toEqual([]);
    await worker?.app.get(WorkerPools).pool('note')?.drain(AbortSignal.timeout(1_000));
    await vi.waitFor(async () => expect((await canary('note'))?.waitingMs).toBeGreaterThan(0), WAIT_OPTIONS);
    const waited = sql`waiting_since = now() - interval '31 seconds', sent_at = now() + interval '1 hour'`;
    await execute(sql`UPDATE canaries SET excused_at = now(), ${waited} WHERE path = 'note'`);
    expect(await alerts()).toEqual([]);
    await execute(sql`UPDATE canaries SET excused_at = now() - interval '31 seconds'`);
    expect(await alerts()).toEqual([expect.stringMatching(/^queue_stuck: The queue note is stuck/)]);
  });
});
