import { expect, it, onTestFinished } from 'vitest';
import { startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { EVERY_FEATURE } from '../../../test/metrics/metrics-world.js';
import { MovedMetrics } from '../../../test/metrics/moved-metrics.js';
import { lineTo } from '../../../test/scraping/cut-line.js';
import type { Config } from '../../platform/config.js';

const given = testDatabase();
const OF_THE_FLEET = ['sources', 'sources_stale', 'dead_letters_open', 'workers', 'queue_jobs', 'platform_capacity'];

async function start(databaseUrl: string, config: Partial<Config>): Promise<MovedMetrics> {
  const api = await startApi({
    databaseUrl,
    config: { openPaths: new Set(['metrics']), ...config },
    modules: EVERY_FEATURE,
  });
  const metrics = new MovedMetrics(api);
  onTestFinished(async () => {
    metrics.stop();
    await api.stop();
  });
  return metrics;
}

it('metrics of the fleet are served while PostgreSQL is away, without those that it would supply', async () => {
  const line = await lineTo(given.url);
  const metrics = await start(line.url, { roles: new Set(['api']) });
  const postgres = ['millrace_dependency_up', { name: 'postgres' }] as const;
  const there = await metrics.read();
  expect(there.value(...postgres)).toBe(1);
  for (const name of OF_THE_FLEET) expect(there.isTold(`millrace_${name}`), name).toBe(true);

  line.hold();
  const away = await metrics.read();
  expect(away.value(...postgres)).toBe(0);
  expect(away.value('millrace_alerts', { code: 'dependency_down', severity: 'critical' })).toBe(1);
  for (const name of OF_THE_FLEET) expect(away.isTold(`millrace_${name}`), name).toBe(false);
  expect(away.isTold('millrace_fetches_total')).toBe(true);
  line.cut();
  await expect.poll(async () => (await metrics.read()).value(...postgres), { timeout: 20_000 }).toBe(1);
});

it('metrics of the fleet are served only by processes with the api role', async () => {
  const { kinds } = await (await start(given.url, { roles: new Set(['scheduler']) })).read();
  expect(kinds.has('millrace_fetches_total')).toBe(true);
  for (const name of [...OF_THE_FLEET, 'alerts', 'dependency_up', 'canary_age_seconds', 'platform_limit'])
    expect(kinds.has(`millrace_${name}`), name).toBe(false);
});
