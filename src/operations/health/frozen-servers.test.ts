import { expect, it, onTestFinished, vi } from 'vitest';
import { startApi } from '../../../test/harness/api.js';
import { ownPostgres } from '../../../test/harness/postgres.js';
import { ownRabbitmq } from '../../../test/harness/rabbitmq.js';
import { ownRedis } from '../../../test/harness/redis.js';
import { withTimeout } from '../../platform/time/with-timeout.js';
import { OperationsModule } from '../operations.module.js';

const PROMISED_MS = 3_000;
const postgres = ownPostgres();
const redis = ownRedis();
const rabbitmq = ownRabbitmq();

it('answers in time which server is frozen, whichever it is and however often it is asked', {
  timeout: 120_000,
}, async () => {
  const config = { roles: new Set(['api' as const]), redisUrl: redis.url, rabbitmqUrl: rabbitmq.url };
  const api = await startApi({ databaseUrl: postgres.url, config, modules: [OperationsModule] });
  onTestFinished(() => api.stop());
  const ask = async () => {
    api.clock.advance(2_000);
    const answer = await withTimeout(api.send({ url: '/api/v1/health', key: api.adminKey }), PROMISED_MS);
    return { status: answer.statusCode, body: answer.json() };
  };
  const down = async () => {
    const { status, body } = await ask();
    const dependencies: { name: string; status: string }[] = body.stats.dependencies;
    return [status, ...dependencies.filter((one) => one.status === 'down').map(({ name }) => name)];
  };
  await vi.waitFor(async () => expect(await down()).toEqual([200]), { timeout: 30_000, interval: 200 });

  for (const [name, server] of Object.entries({ redis, rabbitmq })) {
    await server.freeze();
    try {
      for (let round = 0; round < 4; round++) expect(await down()).toEqual([200, name]);
    } finally {
      await server.thaw();
    }
    await vi.waitFor(async () => expect(await down()).toEqual([200]), { timeout: 30_000, interval: 200 });
  }

  await postgres.freeze();
  try {
    for (let round = 0; round < 3; round++)
      expect(await ask()).toMatchObject({ status: 503, body: { code: 'not_ready' } });
  } finally {
    await postgres.thaw();
  }
  await vi.waitFor(async () => expect(await down()).toEqual([200]), { timeout: 30_000, interval: 200 });
});
