import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { HealthReport } from '../../src/operations/health/health-report.js';
import { newDataFolder } from '../harness/data-folder.js';
import { ask, becomesReady } from '../program/api-client.js';
import { startMillrace } from '../program/millrace-process.js';
import { newDatabase } from '../program/new-database.js';
import { TaskRows } from '../program/task-rows.js';

const KEY = 'an-admin-key-for-this-test-only';
const WAIT_OPTIONS = { timeout: 30_000, interval: 100 };

async function startSmall() {
  const databaseUrl = await newDatabase();
  const millrace = startMillrace(
    {
      DATABASE_URL: databaseUrl,
      MILLRACE_DATA_DIR: newDataFolder(),
      MILLRACE_ADMIN_KEY: KEY,
      MILLRACE_CANARY_MS: '1000',
      NODE_OPTIONS: '--max-old-space-size=300',
      PORT: '0',
    },
    'millrace-with-tasks',
  );
  const address = await millrace.address();
  const rows = new TaskRows(databaseUrl);
  onTestFinished(() => rows.close());
  await rows.create();
  await becomesReady(address);
  const post = (path: string, body: object) => ask(`${address}/api/v1${path}`, { key: KEY, body });
  const newTask = async () => {
    const { ids } = (await (await post('/tasks', { script: 'ok' })).json()) as { ids: [string] };
    return ids[0];
  };
  const alerts = async () => {
    const { alerts } = (await (await ask(`${address}/api/v1/health`, { key: KEY })).json()) as HealthReport;
    return alerts.filter(({ code }) => code !== 'event_loop_stalled');
  };
  return { millrace, address, rows, post, newTask, alerts };
}

it('a process short of memory takes no work, says so, and resumes by itself', { timeout: 120_000 }, async () => {
  const { millrace, address, rows, post, newTask, alerts } = await startSmall();
  const importFeeds = () => post('/imports/start', { feeds: ['https://feeds.example/feed'] });
  const isDone = (id: string) => vi.waitFor(async () => expect(await rows.effects(id)).toHaveLength(1), WAIT_OPTIONS);
  await isDone(await newTask());
  expect((await importFeeds()).status).toBe(202);

  expect((await post('/ballast', { heapPercent: 90 })).status).toBe(204);
  await vi.waitFor(() => expect(millrace.stdout).toContain('"event":"memory_low"'), WAIT_OPTIONS);
  const refused = await importFeeds();
  expect(await refused.json()).toMatchObject({ status: 503, code: 'memory_low' });
  expect(refused.headers.get('retry-after')).toBe('10');
  for (const path of ['/sources/opml', '/leads?format=csv', '/feed.rss?token=any'])
    expect((await ask(`${address}/api/v1${path}`, { key: KEY })).status).toBe(503);
  expect((await ask(`${address}/api/v1/leads`, { key: KEY })).status).toBe(200);
  const waiting = [await newTask(), await newTask()];
  await vi.waitFor(async () => {
    const message = expect.stringContaining(`process ${millrace.pid} on`);
    expect(await alerts()).toEqual([expect.objectContaining({ code: 'memory_low', severity: 'critical', message })]);
  }, WAIT_OPTIONS);
  // Longer than a task takes that is run.
  await sleep(2_000);
  expect(await Promise.all(waiting.map((id) => rows.runners(id)))).toEqual([[], []]);
  expect((await ask(`${address}/health/ready`)).status).toBe(200);

  expect((await post('/ballast', { heapPercent: 0 })).status).toBe(204);
  await vi.waitFor(() => expect(millrace.stdout).toContain('"event":"memory_recovered"'), WAIT_OPTIONS);
  for (const id of waiting) await isDone(id);
  await vi.waitFor(async () => expect(await alerts()).toEqual([]), WAIT_OPTIONS);
  expect((await importFeeds()).status).toBe(202);
  expect(millrace.hasEnded).toBe(false);
});
