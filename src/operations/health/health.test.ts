import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { EventSource } from '../../../test/feeds/event-source.js';
import { type Api, startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { createTaskTables, noteJob, TasksModule, taskJob, tasks } from '../../../test/queue/tasks.js';
import { users } from '../../auth/users/users.table.js';
import { waitingRow } from '../../platform/jobs/job-columns.js';
import { JobStatistics } from '../../platform/jobs/job-statistics.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { accounts } from '../../publishing/accounts/accounts.table.js';
import { sources } from '../../sources/sources.table.js';
import { OperationsModule } from '../operations.module.js';
import { workers } from '../workers/workers.table.js';
import { HealthReport, HealthSeries } from './health-report.js';

const WAIT_OPTIONS = { timeout: 20_000, interval: 50 };
const given = testDatabase();
let api: Api;

beforeAll(async () => {
  await createTaskTables(given.database.db);
  api = await startApi({ databaseUrl: given.url, modules: [OperationsModule, TasksModule] });
});
afterAll(() => api?.stop());

const get = async (path: string) => (await api.send({ url: `/api/v1${path}`, key: api.adminKey })).json();
const post = (path: string) => api.send({ method: 'POST', url: `/api/v1${path}`, key: api.adminKey });

/** Advances the clock past the cached report, and at least to the present. */
async function health(): Promise<HealthReport> {
  api.clock.advance(Math.max(2_000, Date.now() - api.clock.now().getTime()));
  return HealthReport.parse(await get('/health'));
}
const alertsNow = async () => (await health()).alerts.map(({ code }) => code);

async function runTasks(...scripts: string[]): Promise<void> {
  const { db } = given.database;
  const rows = await db
    .insert(tasks)
    .values(scripts.map((script) => ({ script })))
    .returning(waitingRow(tasks));
  await api.app.get(Jobs).enqueueRows(taskJob, rows);
  await vi.waitFor(async () => {
    const { rows } = await db.execute(sql`SELECT FROM tasks WHERE job_state = 'waiting'`);
    expect(rows).toEqual([]);
  }, WAIT_OPTIONS);
  await api.app.get(JobStatistics).store();
}

describe('health', () => {
  it('is fine at rest, with one worker: this process', async () => {
    const { status, alerts, stats } = await health();
    expect({ status, alerts }).toEqual({ status: 'healthy', alerts: [] });
    expect(stats).toMatchObject({ workers: { available: 1, expected: 1 }, deadLetters: { open: 0 } });
    expect(stats.dependencies).toEqual([{ name: 'postgres', status: 'up', detail: null }]);
    const canaries = ['note', 'task'].map((queue) => ({
      queue,
      ageSeconds: expect.any(Number),
      roundTripMs: expect.any(Number),
    }));
    await vi.waitFor(async () => expect((await health()).stats.canaries).toEqual(canaries), WAIT_OPTIONS);
  });

  it('counts how runs end, minute by minute', async () => {
    await runTasks('ok', 'ok', 'fail-first 1', 'give-up');
    const { stats } = await health();
    expect(stats).toMatchObject({ queues: { waiting: 0, active: 0, failedLastHour: 1 }, deadLetters: { open: 1 } });
    expect(stats.jobs.donePerMinute).toBeGreaterThan(0);
    const { jobs, stepSeconds } = HealthSeries.parse(await get('/health/series?minutes=5'));
    expect(stepSeconds).toBe(60);
    expect(jobs).toHaveLength(5);
    expect(jobs.map(({ at }) => at)).toEqual(jobs.map(({ at }) => at).toSorted());
    const total = (of: 'done' | 'failed' | 'retried') => jobs.reduce((sum, minute) => sum + minute[of], 0);
    expect([total('done'), total('failed'), total('retried')]).toEqual([3, 1, 1]);
  });

  it('warns when too many runs fail', async () => {
    await runTasks(...Array<string>(18).fill('ok'), 'give-up', 'give-up');
    const { status, alerts, stats } = await health();
    expect(status).toBe('warning');
    expect(alerts).toMatchObject([{ code: 'error_rate', subject: 'task', severity: 'warning', link: '/health' }]);
    expect(stats.jobs.errorRate).toBeGreaterThan(0.05);
    expect(stats.features).toMatchObject([{ feature: 'task', failed: 4 }]);
    await given.database.db.execute(sql`DELETE FROM work_minutes`);
    expect(await alertsNow()).toEqual([]);
  });

  it('warns of a paused queue and of more than 1,000 waiting, since it was first seen, until both are over', async () => {
    await post('/queues/note/pause');
    const notes = Array.from({ length: 1_001 }, (_, n) => ({ key: `n${n}`, data: { text: 'x', fails: false } }));
    await api.app.get(Jobs).enqueue(noteJob, notes);
    const first = await health();
    expect(first.alerts.map(({ code }) => code).toSorted()).toEqual(['queue_backlog', 'queue_paused']);
    expect(first.stats.queues.waiting).toBe(1_001);
    expect((await health()).alerts).toEqual(first.alerts);
    await post('/queues/note/resume');
    await vi.waitFor(async () => expect(await alertsNow()).toEqual([]), WAIT_OPTIONS);
  });

  it('misses a worker that died, for ten minutes, and shows only those that are there', async () => {
    const { db } = given.database;
    const gone = { host: 'away', pid: 1, roles: ['worker'], version: '0', running: [] };
    const ago = (seconds: number) => sql`now() - make_interval(secs => ${seconds})`;
    // The first one started before this process's time, and no other has replaced it since.
    await db.execute(sql`UPDATE workers SET started_at = now() - interval '1 hour'`);
    await db.insert(workers).values([
      { ...gone, id: 'silent', lastSeenAt: ago(31) },
      { ...gone, id: 'long gone', lastSeenAt: ago(601) },
    ]);
    const { stats, alerts } = await health();
    expect(stats.workers).toEqual({ available: 1, expected: 2 });
    expect(alerts).toMatchObject([{ code: 'workers_missing', severity: 'warning' }]);
    const { items } = await get('/workers');
    expect(items).toMatchObject([{ pid: process.pid, roles: ['api', 'scheduler', 'worker'] }]);
    expect(items[0].running).toContainEqual({ queue: 'task', running: 0, concurrency: 10, jobs: [] });
    await db.execute(sql`DELETE FROM workers WHERE host = 'away'`);
    expect(await alertsNow()).toEqual([]);
  });

  it('says what features say of themselves', async () => {
    const { db } = given.database;
    const [user] = await db.insert(users).values({}).returning();
    const account = { userId: user?.id ?? '', platform: 'webhook', name: 'n', credentials: '' };
    await db.insert(accounts).values({ ...account, status: 'broken' });
    await db.insert(sources).values({ type: 'rss', externalId: 'https://example.org/feed' });
    await db.execute(sql`INSERT INTO fetch_states (id, type, next_fetch_at, active_followers, interval_seconds)
      SELECT id, type, now() - interval '1 day', 1, 180 FROM sources`);
    await vi.waitFor(async () => {
      const report = await health();
      expect(report.alerts.map(({ code }) => code).toSorted()).toEqual(['accounts_broken', 'sources_stale']);
      expect(report.stats.fetching).toMatchObject({ sources: 1, stale: 1 });
    }, WAIT_OPTIONS);
    await db.execute(sql`TRUNCATE accounts, sources CASCADE`);
    await vi.waitFor(async () => expect((await health()).status).toBe('healthy'), WAIT_OPTIONS);
  });

  it('is sent to subscribers at once, and again when it changes', async () => {
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    const url = `${await api.app.getUrl()}/api/v1/health/stream`;
    const stream = await EventSource.open(url, { authorization: `Bearer ${api.adminKey}` });
    const told = () => stream.told.map(({ event, data }) => `${event} ${HealthReport.parse(data).status}`);
    await expect.poll(told, WAIT_OPTIONS).toContain('health healthy');
    await post('/queues/note/pause');
    api.clock.advance(2_000);
    await expect.poll(told, WAIT_OPTIONS).toContain('health warning');
    await post('/queues/note/resume');
  });

  it('is for admins, within a day', async () => {
    const { key } = (await api.send({ method: 'POST', url: '/api/v1/keys', key: api.adminKey, payload: {} })).json();
    for (const path of ['/health', '/health/stream', '/health/series', '/workers', '/queues'])
      expect((await api.send({ url: `/api/v1${path}`, key })).statusCode, path).toBe(403);
    expect((await get('/health/series?minutes=1441')).errors).toMatchObject([{ path: 'minutes' }]);
    expect(await get('/health/series')).toMatchObject({ jobs: { length: 60 }, delay: { length: 60 } });
  });
});
