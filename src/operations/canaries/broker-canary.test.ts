import { sql } from 'drizzle-orm';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { rabbitmqUrl } from '../../../test/harness/rabbitmq.js';
import { lineTo } from '../../../test/scraping/cut-line.js';
import { Readiness } from '../../platform/api/readiness.js';
import { Health } from '../health/health.js';
import { OperationsModule } from '../operations.module.js';
import { CanariesStore } from './canaries.store.js';

const WAIT_OPTIONS = { timeout: 20_000, interval: 100 };
const given = testDatabase();
const rabbitmq = rabbitmqUrl();

async function startWorker() {
  const line = await lineTo(rabbitmq);
  const config = { rabbitmqUrl: line.url, canaryMs: 500, roles: new Set(['scheduler' as const, 'worker' as const]) };
  const { app, clock, stop } = await startApi({ databaseUrl: given.url, config, modules: [OperationsModule] });
  onTestFinished(() => stop());
  const problems = async () => (await app.get(Readiness).problems()).map(({ path, message }) => `${path} ${message}`);
  const canary = async () => (await app.get(CanariesStore).read()).find(({ path }) => path === 'rabbitmq');
  const alerts = async () => {
    clock.advance(2_000);
    return (await app.get(Health).read()).alerts.map(({ code }) => code);
  };
  return { line, problems, canary, alerts };
}

it('a worker is ready once a canary has come back through the broker, and not while none does', async () => {
  const { line, problems, canary, alerts } = await startWorker();
  await vi.waitFor(async () => expect(await problems()).toEqual([]), WAIT_OPTIONS);
  expect(await canary()).toMatchObject({ roundTripMs: expect.any(Number) });

  line.hold();
  await vi.waitFor(async () => expect((await canary())?.excusedAgoMs).toEqual(expect.any(Number)), WAIT_OPTIONS);
  await given.database.db.execute(sql`UPDATE canaries SET waiting_since = now() - interval '1 minute'`);
  expect(await problems()).toEqual(['canary has not come back from rabbitmq']);
  // One problem raises one alert.
  expect(await alerts()).toEqual(['dependency_down']);

  line.cut();
  await vi.waitFor(async () => expect(await alerts()).toEqual([]), WAIT_OPTIONS);
  await vi.waitFor(async () => expect(await problems()).toEqual([]), WAIT_OPTIONS);
});

it('a broker that answers and lets no canary through is reported', async () => {
  const { canary, alerts } = await startWorker();
  await vi.waitFor(async () => expect(await canary()).toMatchObject({ waitingMs: null }), WAIT_OPTIONS);
  await given.database.db.execute(sql`UPDATE canaries SET sent_at = now() + interval '1 hour'`);
  await vi.waitFor(async () => expect(await canary()).toMatchObject({ waitingMs: null }), WAIT_OPTIONS);
  const stuck = sql`UPDATE canaries SET waiting_since = now() - interval '1 minute', excused_at = NULL WHERE path = 'rabbitmq'`;
  // A canary that was on its way may still return.
  await vi.waitFor(async () => {
    await given.database.db.execute(stuck);
    expect(await alerts()).toEqual(['broker_stuck']);
  }, WAIT_OPTIONS);
});
