import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { OperationsModule } from '../operations.module.js';
import { ProcessReports } from './process-reports.js';
import { WorkersStore } from './workers.store.js';
import { processReports } from './workers.table.js';

const given = testDatabase();
let api: Api;

beforeAll(async () => {
  api = await startApi({ databaseUrl: given.url, config: { roles: new Set(['api']) }, modules: [OperationsModule] });
});
afterAll(() => api?.stop());

/** Returns the current alerts about clocks, past the health report that is cached for 2 seconds. */
async function clockAlerts(): Promise<{ message: string; severity: string }[]> {
  api.clock.advance(3_000);
  const answer = await api.send({ url: '/api/v1/health', key: api.adminKey });
  return answer.json().alerts.filter(({ code }: { code: string }) => code === 'clock_skew');
}

it('names a process without the worker role whose clock is wrong, until it is right again', async () => {
  const reports = api.app.get(ProcessReports);
  await reports.report({ skewMs: 0 });
  expect(await clockAlerts()).toEqual([]);
  await reports.report({ skewMs: -300_000 });
  expect(await clockAlerts()).toEqual([
    expect.objectContaining({
      severity: 'warning',
      message: expect.stringMatching(
        new RegExp(`^The clock of process ${process.pid} on .+ \\(api\\) is 300.0 s behind`),
      ),
    }),
  ]);
  await reports.report({ skewMs: 100 });
  expect(await clockAlerts()).toEqual([]);
});

it('says nothing of a process that has gone', async () => {
  const gone = { id: 'gone', host: 'mill', pid: 7, roles: ['worker'], skewMs: 300_000, isMemoryLow: true };
  await given.database.db.insert(processReports).values({ ...gone, seenAt: new Date(Date.now() - 60_000) });
  api.clock.advance(3_000);
  const answer = await api.send({ url: '/api/v1/health', key: api.adminKey });
  expect(answer.json().alerts.map(({ code }: { code: string }) => code)).not.toContain('memory_low');
  expect(await clockAlerts()).toEqual([]);
});

it('tells Prometheus how far the clock of this process is ahead', async () => {
  const { body } = await api.send({ url: '/metrics', key: api.adminKey });
  const [, seconds] = /^millrace_clock_skew_seconds (\S+)$/m.exec(body) ?? [];
  expect(Math.abs(Number(seconds))).toBeLessThan(60);
});

it('reports how much of the heap is used and how long the event loop stood still', async () => {
  const until = performance.now() + 150;
  while (performance.now() < until);
  // The stall is recorded when the loop runs again.
  await new Promise((resolve) => setTimeout(resolve, 50));
  const { body } = await api.send({ url: '/metrics', key: api.adminKey });
  const metric = (name: string) => Number(new RegExp(`^millrace_${name} (\\S+)$`, 'm').exec(body)?.[1]);
  expect(metric('event_loop_max_stall_seconds')).toBeGreaterThan(0.1);
  expect(metric('heap_used_ratio')).toBeGreaterThan(0);
  expect(metric('heap_used_ratio')).toBeLessThan(0.85);
  expect(metric('memory_low')).toBe(0);
  await api.app.get(ProcessReports).report({});
  const [report] = await api.app.get(WorkersStore).reports();
  expect(report?.heapPercent).toBeLessThan(85);
  expect(report?.maxStallMs).toBeGreaterThan(100);
});
