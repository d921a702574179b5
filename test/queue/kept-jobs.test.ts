import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { testDatabase } from '../harness/database.js';
import { redisUrl } from '../harness/redis.js';
import { type Engine, startEngine } from './engine.js';
import { createTaskTables, noteJob, taskJob, tasks } from './tasks.js';

const WAIT_OPTIONS = { timeout: 20_000, interval: 50 };
const KEPT = { completed: 4, failed: 2 };

describe.each(['PostgreSQL', 'Redis'])('finished jobs on %s', (backend) => {
  const given = testDatabase();
  const redis = backend === 'Redis' ? redisUrl() : undefined;
  let engine: Engine;

  beforeAll(async () => {
    await createTaskTables(given.database.db);
    engine = await startEngine({ databaseUrl: given.url, redisUrl: redis, kept: KEPT });
  });
  afterAll(() => engine?.stop());

  const ended = (ids: string[], state: 'done' | 'failed') =>
    vi.waitFor(async () => expect(await engine.states(ids)).toEqual({ [state]: ids.length }), WAIT_OPTIONS);
  const kept = async (state: 'completed' | 'failed', id: string) =>
    vi.waitFor(async () => {
      const found = (await engine.finished(state)).find((job) => job.id === id);
      if (!found) throw new Error(`${id} is not among the ${state} jobs`);
      return found;
    }, WAIT_OPTIONS);

  it('stay with their result, progress and log lines, without secrets', async () => {
    const [id = ''] = await engine.enqueue(['note s3cret']);
    const job = await kept('completed', id);
    expect(job).toMatchObject({ returnvalue: { status: 'done', postsCount: 3 }, progress: 100 });
    expect(job.lines).toEqual([
      'asking https://***@example.org/feed?token=***',
      expect.stringMatching(/^Ended: \{"status":"done","postsCount":3,/),
    ]);
  });

  it('stay with their reason and the failures before it', async () => {
    const [id = ''] = await engine.enqueue(['fail why']);
    const job = await kept('failed', id);
    expect(job).toMatchObject({ failedReason: 'task failed: why', attemptsMade: 3 });
    expect(job.lines).toEqual([
      expect.stringMatching(/^An attempt failed at .*: task failed: why$/),
      expect.stringMatching(/^An attempt failed at .*: task failed: why$/),
      expect.stringMatching(/^Ended: .*"reason":"task failed: why"/),
    ]);
  });

  it('leave when newer ones have ended', async () => {
    const done = await engine.enqueue(Array.from({ length: 12 }, () => 'ok'));
    const failed = await engine.enqueue(Array.from({ length: 5 }, () => 'give-up'));
    await ended(done, 'done');
    await ended(failed, 'failed');
    const counts = () => engine.backend.queue('task').getJobCounts('completed', 'failed', 'active', 'waiting');
    await vi.waitFor(async () => expect(await counts()).toEqual({ ...KEPT, active: 0, waiting: 0 }), WAIT_OPTIONS);
    const left = [...(await engine.finished('completed')), ...(await engine.finished('failed'))];
    expect([...done, ...failed]).toEqual(expect.arrayContaining(left.map(({ id }) => id)));
  });

  it('do not hide the next job of the same row', async () => {
    const [id = ''] = await engine.enqueue(['ok']);
    await kept('completed', id);
    await engine.jobs.enqueueRows(taskJob, await taskJob.rows.putToWork(engine.database.db, [id]));
    await vi.waitFor(async () => expect(await engine.effects([id])).toEqual([id, id]), WAIT_OPTIONS);
  });

  it('do not hide the job of a row that a restored database puts back', async () => {
    const [id = ''] = await engine.enqueue(['ok']);
    await kept('completed', id);
    await engine.database.db
      .update(tasks)
      .set({ jobState: 'waiting', jobSweepAt: sql`now() - interval '1 minute'` })
      .where(eq(tasks.id, id));
    await vi.waitFor(async () => {
      await engine.sweep.run();
      expect(await engine.effects([id])).toEqual([id, id]);
    }, WAIT_OPTIONS);
  });

  it('do not hide a job without a row that has the same key', async () => {
    for (const text of ['first', 'second']) {
      await engine.jobs.enqueue(noteJob, [{ key: 'same', data: { text, fails: false } }]);
      await vi.waitFor(() => expect(engine.notes.notes).toContain(text), WAIT_OPTIONS);
      await vi.waitFor(async () => expect(await engine.backend.queue('note').getActiveCount()).toBe(0), WAIT_OPTIONS);
    }
  });

  it('show how far they are while they run, if that takes long', async () => {
    const [id = ''] = await engine.enqueue(['note-long 4000']);
    const queue = engine.backend.queue('task');
    await vi.waitFor(async () => {
      const [job] = await queue.getJobs(['active']);
      expect(job?.progress).toBe(60);
      expect((await queue.getJobLogs(job?.id ?? '')).logs).toEqual([expect.stringContaining('half of it is done')]);
    }, WAIT_OPTIONS);
    expect((await kept('completed', id)).lines).toEqual(['half of it is done', expect.stringMatching(/^Ended: /)]);
  });
});
