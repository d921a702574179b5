import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { testDatabase } from '../harness/database.js';
import { ownRedis } from '../harness/redis.js';
import { type Engine, startEngine } from './engine.js';
import { survives } from './outage-conformance.js';
import { createTaskTables } from './tasks.js';

const given = testDatabase();
const redis = ownRedis();
let engine: Engine;

beforeAll(async () => {
  await createTaskTables(given.database.db);
  engine = await startEngine({ databaseUrl: given.url, redisUrl: redis.url, roles: 'scheduler,worker', lockMs: 1_000 });
});
afterAll(() => engine?.stop());

describe('queue on Redis', { timeout: 120_000 }, () => {
  it('runs every waiting row once, though Redis is flushed in the middle', () => survives(engine, () => redis.flush()));

  it('runs every waiting row once, though Redis is killed in the middle and away for a while', () =>
    survives(engine, async () => {
      await redis.kill();
      await sleep(2_000);
      await redis.restart();
    }));
});
