import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Api, startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { createTaskTables, TasksModule, taskJob, tasks } from '../../../test/queue/tasks.js';
import { waitingRow } from '../../platform/jobs/job-columns.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { OperationsModule } from '../operations.module.js';
import { Heartbeat } from './heartbeat.js';

const WAIT_OPTIONS = { timeout: 20_000, interval: 50 };

describe('workers', () => {
  const given = testDatabase();
  let api: Api;

  beforeAll(async () => {
    await createTaskTables(given.database.db);
    api = await startApi({
      databaseUrl: given.url,
      config: { shutdownMs: 100 },
      modules: [OperationsModule, TasksModule],
    });
  });
  afterAll(() => api?.stop());

  it('tells of each process what it runs just now', async () => {
    const rows = await given.database.db
      .insert(tasks)
      .values(['sleep 60000', 'sleep 60000'].map((script) => ({ script })))
      .returning(waitingRow(tasks));
    await api.app.get(Jobs).enqueueRows(taskJob, rows);
    await vi.waitFor(async () => {
      await api.app.get(Heartbeat).beat();
      const answer = await api.send({ method: 'GET', url: '/api/v1/workers', key: api.adminKey });
      const [worker] = answer.json().items;
      expect(worker).toMatchObject({ pid: process.pid, roles: expect.arrayContaining(['worker']) });
      const jobs = rows.map(({ id }) => ({
        subject: id,
        jobId: expect.stringContaining(id),
        startedAt: expect.any(String),
      }));
      expect(worker.running).toContainEqual({ queue: 'task', running: 2, concurrency: 10, jobs });
      expect(worker.running).toContainEqual({ queue: 'note', running: 0, concurrency: 1, jobs: [] });
    }, WAIT_OPTIONS);
  });
});
