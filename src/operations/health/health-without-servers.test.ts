import { expect, it, onTestFinished, vi } from 'vitest';
import { startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { rabbitmqUrl } from '../../../test/harness/rabbitmq.js';
import { ownRedis } from '../../../test/harness/redis.js';
import { lineTo } from '../../../test/scraping/cut-line.js';
import type { Config } from '../../platform/config.js';
import { OperationsModule } from '../operations.module.js';
import { Health } from './health.js';

const WAIT_OPTIONS = { timeout: 20_000, interval: 200 };
const given = testDatabase();
const redis = ownRedis();
const rabbitmq = rabbitmqUrl();

async function start(databaseUrl: string, servers: Partial<Config> = {}) {
  const config = { ...servers, roles: new Set(['api' as const]) };
  const api = await startApi({ databaseUrl, config, modules: [OperationsModule] });
  onTestFinished(() => api.stop());
  return async () => {
    api.clock.advance(2_000);
    const { status, stats, alerts } = await api.app.get(Health).read();
    const down = alerts.filter(({ code }) => code === 'dependency_down').map(({ message }) => message.split(' ')[0]);
    return { status, down, dependencies: stats.dependencies.map(({ name, status }) => `${name} ${status}`) };
  };
}

it('says that Redis is away, and that it is back', async () => {
  const health = await start(given.url, { redisUrl: redis.url });
  expect(await health()).toMatchObject({ down: [], dependencies: ['postgres up', 'redis up'] });
  await redis.kill();
  await vi.waitFor(async () => {
    const away = { status: 'critical', down: ['Redis'], dependencies: ['postgres up', 'redis down'] };
    expect(await health()).toEqual(away);
  }, WAIT_OPTIONS);
  await redis.restart();
  await vi.waitFor(async () => expect(await health()).toMatchObject({ down: [] }), WAIT_OPTIONS);
});

it('says that RabbitMQ is away, and that it is back', async () => {
  const line = await lineTo(rabbitmq);
  const health = await start(given.url, { rabbitmqUrl: line.url });
  expect(await health()).toMatchObject({ down: [], dependencies: ['postgres up', 'rabbitmq up'] });
  line.hold();
  expect(await health()).toEqual({
    status: 'critical',
    down: ['RabbitMQ'],
    dependencies: ['postgres up', 'rabbitmq down'],
  });
  line.cut();
  await vi.waitFor(async () => expect(await health()).toMatchObject({ down: [] }), WAIT_OPTIONS);
});

it('says that PostgreSQL is away, although it is where everything is kept', async () => {
  const line = await lineTo(given.url);
  const health = await start(line.url);
  expect(await health()).toMatchObject({ down: [], dependencies: ['postgres up'] });
  line.hold();
  expect(await health()).toEqual({ status: 'critical', down: ['PostgreSQL'], dependencies: ['postgres down'] });
  line.cut();
  await vi.waitFor(async () => expect(await health()).toMatchObject({ down: [] }), WAIT_OPTIONS);
});
