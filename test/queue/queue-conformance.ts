import { eq, sql } from 'drizzle-orm';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { deadLetters } from '../../src/platform/jobs/dead-letters/dead-letters.table.js';
import { jobId } from '../../src/platform/jobs/jobs.js';
import { testDatabase } from '../harness/database.js';
import { type Engine, startEngine } from './engine.js';
import { createTaskTables, noteJob, taskJob, tasks } from './tasks.js';

const WAIT_OPTIONS = { timeout: 20_000, interval: 50 };
/** Number of deaths after which a job is suspected. */
const CRASHES = 20;

/** What every queue backend must do, tested in one process. */
export function queueConformance(backend: string, redisUrl: () => string | undefined) {
  const given = testDatabase();
  let engine: Engine;

  beforeAll(async () => {
    await createTaskTables(given.database.db);
    engine = await startEngine({ databaseUrl: given.url, redisUrl: redisUrl() });
  });
  afterAll(() => engine?.stop());

  const allDone = (ids: string[]) =>
    vi.waitFor(async () => expect(await engine.states(ids)).toEqual({ done: ids.length }), WAIT_OPTIONS);
  const letter = async (subject: string) =>
    (await engine.database.db.select().from(deadLetters).where(eq(deadLetters.subject, subject)))[0];

  describe(`queue on ${backend}`, () => {
    it('runs every job once', async () => {
      const ids = await engine.enqueue(Array.from({ length: 50 }, () => 'ok'));
      await allDone(ids);
      expect((await engine.effects(ids)).toSorted()).toEqual(ids.toSorted());
    });

    it('ignores a job that is enqueued again while it waits', async () => {
      const rows = await engine.store(['sleep 200']);
      for (let time = 0; time < 5; time++) await engine.jobs.enqueueRows(taskJob, rows);
      await allDone(rows.map(({ id }) => id));
      expect(await engine.runs(rows.map(({ id }) => id))).toHaveLength(1);
    });

    it('runs urgent jobs first, and equally urgent ones in their order', async () => {
      const pool = engine.pools.pool('task');
      if (!pool) throw new Error('no pool');
      await engine.backend.queue('task').pause();
      const low = await engine.enqueue(['ok', 'ok'], { priority: 7 });
      const high = await engine.enqueue(['ok', 'ok'], { priority: 1 });
      const middle = await engine.enqueue(['ok', 'ok'], { priority: 3 });
      pool.concurrency = 1;
      await engine.backend.queue('task').resume();
      const all = [...high, ...middle, ...low];
      await allDone(all);
      pool.concurrency = 10;
      expect(await engine.runs(all)).toEqual(all);
    });

    it('lets owners take turns: the first job of one overtakes the backlog of another', async () => {
      const pool = engine.pools.pool('task');
      if (!pool) throw new Error('no pool');
      await engine.backend.queue('task').pause();
      const [ann1, ann2, ann3] = await engine.enqueueOf('ann', 3);
      const [bob1] = await engine.enqueueOf('bob', 1);
      const [bob2] = await engine.enqueueOf('bob', 1);
      const [ann4] = await engine.enqueueOf('ann', 1);
      pool.concurrency = 1;
      await engine.backend.queue('task').resume();
      const all = [ann1, bob1, ann2, bob2, ann3, ann4].map(String);
      await allDone(all);
      pool.concurrency = 10;
      expect(await engine.runs(all)).toEqual(all);
    });

    it('does not let jobs that come later overtake a backlog for ever', async () => {
      const { db } = engine.database;
      const [waiting] = await engine.storeOf('ann', 3);
      const [overtaking] = await engine.storeOf('bob', 1);
      expect(overtaking?.priority).toBe(waiting?.priority);
      await db
        .update(tasks)
        .set({ jobState: 'idle' })
        .where(eq(tasks.id, waiting?.id ?? ''));
      await db
        .update(tasks)
        .set({ jobState: 'idle' })
        .where(eq(tasks.id, overtaking?.id ?? ''));
      // The first of Ann's waiting tasks determines the turn of a new owner.
      const [next] = await engine.storeOf('bob', 1);
      expect(next?.priority).toBe((waiting?.priority ?? 0) + 1);
      await db.update(tasks).set({ jobState: 'idle' }).where(eq(tasks.jobState, 'waiting'));
    });

    it('lets a job that is made more urgent overtake those before it', async () => {
      const pool = engine.pools.pool('task');
      if (!pool) throw new Error('no pool');
      await engine.backend.queue('task').pause();
      const [first = '', ...others] = await engine.enqueue(['ok', 'ok', 'ok'], { priority: 7 });
      const raised = await taskJob.rows.raise(engine.database.db, others, { priority: 0 });
      await engine.jobs.raisePriority(taskJob, raised);
      const again = await taskJob.rows.raise(engine.database.db, others, { priority: 0 });
      pool.concurrency = 1;
      await engine.backend.queue('task').resume();
      await allDone([first, ...others]);
      pool.concurrency = 10;
      const hurried = raised.map(({ id }) => id);
      expect(hurried.toSorted()).toEqual(others.toSorted());
      expect(again).toEqual([]);
      expect((await engine.runs([first, ...others])).at(-1)).toBe(first);
    });

    it('does not mind that a job to be made more urgent is not there any more', async () => {
      const [row] = await engine.store(['ok'], { priority: 7, runAt: new Date(Date.now() + 60_000) });
      if (!row) throw new Error('no row');
      await engine.jobs.raisePriority(taskJob, await taskJob.rows.raise(engine.database.db, [row.id], { priority: 0 }));
      expect(await engine.states([row.id])).toEqual({ waiting: 1 });
      await engine.database.db.update(tasks).set({ jobState: 'idle' }).where(eq(tasks.id, row.id));
    });

    it('changes the number of jobs at once while it runs', async () => {
      const pool = engine.pools.pool('task');
      if (!pool) throw new Error('no pool');
      pool.concurrency = 2;
      const ids = await engine.enqueue(Array.from({ length: 6 }, () => 'sleep 400'));
      await vi.waitFor(async () => expect(await engine.runs(ids)).toHaveLength(2), WAIT_OPTIONS);
      expect(await engine.backend.queue('task').getActiveCount()).toBe(2);
      pool.concurrency = 10;
      await allDone(ids);
    });

    it('runs a job no earlier than its time', async () => {
      const runAt = new Date(Date.now() + 1_500);
      const ids = await engine.enqueue(['ok'], { runAt });
      await allDone(ids);
      const [run] = await engine.runTimes(ids);
      expect(run?.getTime()).toBeGreaterThanOrEqual(runAt.getTime() - 20);
    });

    it('tries again with growing pauses, then gives up: row, feature and dead letter agree', async () => {
      const [id = ''] = await engine.enqueue(['fail why']);
      await vi.waitFor(async () => expect(await engine.states([id])).toEqual({ failed: 1 }), WAIT_OPTIONS);
      const [first, second, third] = await engine.runTimes([id]);
      const pauses = [Number(second) - Number(first), Number(third) - Number(second)];
      expect(pauses[0]).toBeGreaterThanOrEqual(95);
      expect(pauses[1]).toBeGreaterThanOrEqual(195);
      expect(await letter(id)).toMatchObject({
        queue: 'task',
        jobName: 'task',
        payload: { taskId: id },
        reason: 'task failed: why',
        attempts: 3,
        history: [{ reason: 'task failed: why' }, { reason: 'task failed: why' }, { reason: 'task failed: why' }],
      });
      expect(await engine.failures([id])).toEqual(['task failed: why']);
    });

    it('lets RetryLater wait without costing an attempt', async () => {
      const [id = ''] = await engine.enqueue(['later-first 5']);
      await allDone([id]);
      expect(await engine.attempts([id])).toEqual([1, 1, 1, 1, 1, 1]);
      expect(await letter(id)).toBeUndefined();
    });

    it('does not try again after GiveUp', async () => {
      const [id = ''] = await engine.enqueue(['give-up']);
      await vi.waitFor(async () => expect(await engine.states([id])).toEqual({ failed: 1 }), WAIT_OPTIONS);
      expect(await engine.runs([id])).toHaveLength(1);
      expect(await letter(id)).toMatchObject({ reason: 'nothing can help', attempts: 1 });
    });

    it('ends a job whose feature cannot note the failure: row and dead letter are written without it', async () => {
      const [id = ''] = await engine.enqueue(['fail in-the-hook-too']);
      await vi.waitFor(async () => expect(await engine.states([id])).toEqual({ failed: 1 }), WAIT_OPTIONS);
      expect(await engine.runs([id])).toHaveLength(3);
      expect(await letter(id)).toMatchObject({ reason: 'task failed: in-the-hook-too', attempts: 3 });
    });

    it('takes an effect that swallowed a failed statement for the failure it is', async () => {
      const [id = ''] = await engine.enqueue(['swallow']);
      await vi.waitFor(async () => expect(await engine.states([id])).toEqual({ failed: 1 }), WAIT_OPTIONS);
      expect((await letter(id))?.reason).toContain('rolled back');
    });

    it('takes a job whose effect is committed for done, whatever its worker does afterwards', async () => {
      const [id = ''] = await engine.enqueue(['commit-twice']);
      await allDone([id]);
      await vi.waitFor(async () => expect(await engine.queueState(id)).toBe('completed'), WAIT_OPTIONS);
      expect(await engine.runs([id])).toHaveLength(1);
      expect(await letter(id)).toBeUndefined();
    });

    it('leaves a row alone when a late job of an earlier run comes by', async () => {
      const rows = await engine.store(['ok']);
      const [row] = rows;
      if (!row) throw new Error('no row');
      await engine.database.db.update(tasks).set({ jobState: 'idle' }).where(eq(tasks.id, row.id));
      await taskJob.rows.putToWork(engine.database.db, [row.id], { at: new Date(Date.now() + 60_000) });
      await engine.jobs.enqueueRows(taskJob, rows);
      await vi.waitFor(async () => expect(await engine.queueState(row.id)).toBe('unknown'), WAIT_OPTIONS);
      expect(await engine.runs([row.id])).toEqual([]);
      expect(await engine.states([row.id])).toEqual({ waiting: 1 });
    });

    it('tells the feature about a job that keeps killing its worker', async () => {
      const queue = engine.backend.queue('task');
      await queue.pause();
      const [id = ''] = await engine.enqueue(['ok']);
      await countCrashes(engine, redisUrl(), jobId('task', `${id}-1`));
      await queue.resume();
      await vi.waitFor(async () => expect(await engine.states([id])).toEqual({ failed: 1 }), WAIT_OPTIONS);
      expect(await engine.runs([id])).toEqual([]);
      expect(await engine.failures([id])).toEqual([`its process died ${CRASHES} times while running it`]);
    });

    it('puts a job with bad data among the dead letters, naming the field', async () => {
      await engine.jobs.enqueue(noteJob, [{ key: 'bad', data: { text: 7 } as never }]);
      await vi.waitFor(async () => expect(await letter('bad')).toBeDefined(), WAIT_OPTIONS);
      expect((await letter('bad'))?.reason).toMatch(/data is not valid: text: /);
    });

    it('puts a job that somebody else added in another shape among the dead letters', async () => {
      await engine.backend.queue('task').add('task', { hello: 'world' } as never, { jobId: 'foreign' });
      await vi.waitFor(async () => expect(await letter('foreign')).toBeDefined(), WAIT_OPTIONS);
      expect(await letter('foreign')).toMatchObject({
        payload: { hello: 'world' },
        reason: expect.stringContaining('names no row'),
      });
    });

    it('bears text that PostgreSQL cannot store, in data and in errors', async () => {
      await engine.jobs.enqueue(noteJob, [{ key: 'dirty', data: { text: 'a\u0000b\ud800c', fails: false } }]);
      await vi.waitFor(() => expect(engine.notes.notes).toContain('ab\ufffdc'), WAIT_OPTIONS);
      const [id = ''] = await engine.enqueue(['dirty']);
      await vi.waitFor(async () => expect(await engine.states([id])).toEqual({ failed: 1 }), WAIT_OPTIONS);
      expect(await letter(id)).toMatchObject({ reason: 'NUL  and a lone surrogate \ufffd', attempts: 3 });
    });

    it('bears a key of any kind', async () => {
      const key = 'https://example.org:443/feed?a=1&b=ü';
      await engine.jobs.enqueue(noteJob, [{ key, data: { text: key, fails: false } }]);
      await vi.waitFor(() => expect(engine.notes.notes).toContain(key), WAIT_OPTIONS);
      expect(jobId('note', key)).not.toContain(':');
    });

    it('gives a waiting row whose job was never added to the queue by the sweep', async () => {
      const rows = await engine.store(['ok', 'ok', 'ok']);
      const ids = rows.map(({ id }) => id);
      await vi.waitFor(async () => {
        await engine.sweep.run();
        expect(await engine.states(ids)).toEqual({ done: 3 });
      }, WAIT_OPTIONS);
      expect(await engine.effects(ids)).toHaveLength(3);
    });

    it('does not double a waiting job when the sweep comes by', async () => {
      const ids = await engine.enqueue(['sleep 1500', 'sleep 1500']);
      await vi.waitFor(async () => expect(await engine.runs(ids)).toHaveLength(2), WAIT_OPTIONS);
      await new Promise((resolve) => setTimeout(resolve, 600));
      await engine.sweep.run();
      await allDone(ids);
      expect(await engine.runs(ids)).toHaveLength(2);
    });
  });
}

/** Records the deaths of a job's worker as BullMQ does. */
async function countCrashes({ backend, database }: Engine, redisUrl: string | undefined, id: string): Promise<void> {
  if (!redisUrl) {
    await database.db.execute(sql`UPDATE bullmq.job SET stalled_count = ${CRASHES} WHERE id = ${id}`);
    return;
  }
  const redis = new Redis(redisUrl ?? '');
  await redis.hset(backend.queue('task').toKey(id), 'stc', CRASHES);
  redis.disconnect();
}
