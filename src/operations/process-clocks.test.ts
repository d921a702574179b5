import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, startApi } from '../../test/harness/api.js';
import { testDatabase } from '../../test/harness/database.js';
import { OperationsModule } from './operations.module.js';
import { ProcessClocks } from './process-clocks.js';
import { processClocks } from './process-clocks.table.js';

const given = testDatabase();
let api: Api;

beforeAll(async () => {
  api = await startApi({ databaseUrl: given.url, config: { roles: new Set(['api']) }, modules: [OperationsModule] });
});
afterAll(() => api?.stop());

/** What is said of clocks now, past the health that is kept for 2 seconds. */
async function clockAlerts(): Promise<{ message: string; severity: string }[]> {
  api.clock.advance(3_000);
  const answer = await api.send({ url: '/api/v1/health', key: api.adminKey });
  return answer.json().alerts.filter(({ code }: { code: string }) => code === 'clock_skew');
}

it('names a process without the worker role whose clock is wrong, until it is right again', async () => {
  const clocks = api.app.get(ProcessClocks);
  await clocks.report(0);
  expect(await clockAlerts()).toEqual([]);
  await clocks.report(-300_000);
  expect(await clockAlerts()).toEqual([
    expect.objectContaining({
      severity: 'warning',
      message: expect.stringMatching(
        new RegExp(`^The clock of process ${process.pid} on .+ \\(api\\) is 300.0 s behind`),
      ),
    }),
  ]);
  await clocks.report(100);
  expect(await clockAlerts()).toEqual([]);
});

it('says nothing of a process that has gone', async () => {
  const gone = { id: 'gone', host: 'mill', pid: 7, roles: ['worker'], skewMs: 300_000 };
  await given.database.db.insert(processClocks).values({ ...gone, seenAt: new Date(Date.now() - 60_000) });
  expect(await clockAlerts()).toEqual([]);
});

it('tells Prometheus how far the clock of this process is ahead', async () => {
  const { body } = await api.send({ url: '/metrics', key: api.adminKey });
  const [, seconds] = /^millrace_clock_skew_seconds (\S+)$/m.exec(body) ?? [];
  expect(Math.abs(Number(seconds))).toBeLessThan(60);
});
