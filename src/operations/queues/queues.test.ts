import { eq, inArray, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Api, startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { redisUrl } from '../../../test/harness/redis.js';
import { startEngine } from '../../../test/queue/engine.js';
import { createTaskTables, noteJob, TasksModule, taskJob, tasks } from '../../../test/queue/tasks.js';
import { waitingRow } from '../../platform/jobs/job-columns.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { QUEUE_BACKEND, type QueueBackend } from '../../platform/jobs/queue-backend.js';
import { startOfMinute } from '../metrics/run-counts.store.js';
import { OperationsModule } from '../operations.module.js';
import { type QueueView, rounded } from './queue-views.js';

const WAIT_OPTIONS = { timeout: 20_000, interval: 50 };

describe.each(['PostgreSQL', 'Redis'])('queues on %s', (backend) => {
  const given = testDatabase();
  const redis = backend === 'Redis' ? redisUrl() : undefined;
  let api: Api;

  beforeAll(async () => {
    await createTaskTables(given.database.db);
    const config = { redisUrl: redis, roles: new Set(['api' as const]) };
    api = await startApi({ databaseUrl: given.url, config, modules: [OperationsModule, TasksModule] });
  });
  afterAll(() => api?.stop());

  const ask = async (method: 'GET' | 'POST', path = '') => {
    const answer = await api.send({ method, url: `/api/v1/queues${path}`, key: api.adminKey });
    return { status: answer.statusCode, body: answer.json() };
  };
  const queue = async (name: string): Promise<QueueView> =>
    (await ask('GET')).body.items.find((item: QueueView) => item.name === name);

  async function store(values: Partial<typeof tasks.$inferInsert>) {
    const [row] = await given.database.db
      .insert(tasks)
      .values({ script: 'ok', ...values })
      .returning(waitingRow(tasks));
    if (!row) throw new Error('not stored');
    return row;
  }
  async function enqueue(values: Partial<typeof tasks.$inferInsert>) {
    const row = await store(values);
    await api.app.get(Jobs).enqueueRows(taskJob, [row]);
    return row;
  }
  const inAnHour = () => new Date(Date.now() + 3_600_000);

  it('shows what waits, what is for later, and how long the oldest has waited, whatever its priority', async () => {
    const { id, run } = await store({ jobPriority: 5 });
    const envelope = { subject: id, run, data: { taskId: id } };
    const opts = { priority: 5, timestamp: api.clock.now().getTime() - 400_000 };
    await api.app.get<QueueBackend>(QUEUE_BACKEND).queue('task').add('task', envelope, opts);
    await enqueue({ jobPriority: 1 });
    await enqueue({});
    await enqueue({ jobRunAt: inAnHour() });
    const { oldestWaitingSeconds, ...counts } = await queue('task');
    expect(counts).toMatchObject({ paused: false, waiting: 3, active: 0, delayed: 1, donePerMinute: 0 });
    expect(oldestWaitingSeconds).toBe(400);
    expect(await queue('note')).toMatchObject({ waiting: 0, oldestWaitingSeconds: null });
  });

  it('finds the oldest job among the turns of owners', async () => {
    const { id, run } = await store({ jobPriority: 500 });
    const envelope = { subject: id, run, data: { taskId: id } };
    const opts = { priority: 500, timestamp: api.clock.now().getTime() - 900_000 };
    const old = await api.app.get<QueueBackend>(QUEUE_BACKEND).queue('task').add('task', envelope, opts);
    const turns = await Promise.all([20, 30, 40, 50, 60].map((jobPriority) => enqueue({ jobPriority })));
    expect((await queue('task')).oldestWaitingSeconds).toBe(900);
    await old.remove();
    await given.database.db.delete(tasks).where(inArray(tasks.id, [id, ...turns.map((turn) => turn.id)]));
    await ask('POST', '/task/clean');
  });

  it('keeps a pause over processes: nothing is run until it is resumed', async () => {
    expect(await ask('POST', '/task/pause')).toMatchObject({
      status: 200,
      body: { name: 'task', paused: true, waiting: 3 },
    });
    const engine = await startEngine({ databaseUrl: given.url, redisUrl: redis });
    try {
      await engine.jobs.enqueue(noteJob, [{ key: 'seen', data: { text: 'seen', fails: false } }]);
      // The other queue is processed meanwhile.
      await vi.waitFor(() => expect(engine.notes.notes).toEqual(['seen']), WAIT_OPTIONS);
      expect(await queue('task')).toMatchObject({ paused: true, waiting: 3 });
      expect(await ask('POST', '/task/resume')).toMatchObject({ status: 200, body: { paused: false } });
      await vi.waitFor(async () => expect(await queue('task')).toMatchObject({ waiting: 0, active: 0 }), WAIT_OPTIONS);
    } finally {
      await engine.stop();
    }
  });

  it('cleans away jobs that their rows do not wait for, and no others', async () => {
    const kept = await enqueue({});
    const [done, deleted, later] = [
      await enqueue({}),
      await enqueue({ jobPriority: 2 }),
      await enqueue({ jobRunAt: inAnHour() }),
    ];
    const { db } = given.database;
    // The three jobs of the test before have ended and are kept.
    const finished = 3;
    await db.update(tasks).set({ jobState: 'done' }).where(eq(tasks.id, done.id));
    await db.delete(tasks).where(eq(tasks.id, deleted.id));
    await db.update(tasks).set({ jobRun: sql`job_run + 1` }).where(eq(tasks.id, later.id));
    await api.app.get(Jobs).enqueue(noteJob, [{ key: 'kept', data: { text: 'kept', fails: false } }]);

    // One job of the first test is still delayed.
    expect(await ask('POST', '/task/clean')).toMatchObject({
      status: 200,
      body: { removed: finished + 3, queue: { name: 'task', waiting: 1, delayed: 1 } },
    });
    expect(await ask('POST', '/note/clean')).toMatchObject({ body: { removed: 0, queue: { waiting: 1 } } });
    expect(await ask('POST', '/task/clean')).toMatchObject({ body: { removed: 0 } });
    const { rows } = await db.execute(sql`SELECT id FROM tasks WHERE id = ${kept.id} AND job_state = 'waiting'`);
    expect(rows).toHaveLength(1);
  });

  it('tells how fast runs end, how, and how long they take', async () => {
    const at = startOfMinute(api.clock.now());
    await given.database.db.execute(sql`DELETE FROM job_minutes`);
    const minutes = 1 + (api.clock.now().getTime() - at.getTime()) / 60_000;
    await given.database.db.execute(sql`
      INSERT INTO job_minutes (minute, queue, outcome, count, total_ms) VALUES
        (${at.toISOString()}, 'note', 'done', 6, 60), (${at.toISOString()}, 'note', 'retried', 3, 900),
        (${at.toISOString()}, 'note', 'failed', 1, 40), (${at.toISOString()}, 'note', 'later', 50, 50)`);
    expect(await queue('note')).toMatchObject({
      donePerMinute: rounded(6 / minutes),
      failedPerMinute: rounded(1 / minutes),
      retriedPerMinute: rounded(3 / minutes),
      meanMs: 100,
    });
    await given.database.db.execute(sql`DELETE FROM job_minutes`);
    expect(await queue('note')).toMatchObject({ donePerMinute: 0, retriedPerMinute: 0, meanMs: null });
  });

  it('says which queues there are when asked for another', async () => {
    const { status, body } = await ask('POST', '/nonsense/pause');
    expect(status).toBe(404);
    expect(body).toMatchObject({
      code: 'not_found',
      detail: 'There is no queue nonsense. The queues are note, task.',
    });
  });
});
