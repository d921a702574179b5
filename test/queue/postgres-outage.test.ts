import { afterAll, beforeAll, describe, it } from 'vitest';
import { Database } from '../../src/platform/database/database.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { ownPostgres } from '../harness/postgres.js';
import { type Engine, startEngine } from './engine.js';
import { survives } from './outage-conformance.js';
import { createTaskTables } from './tasks.js';

const postgres = ownPostgres();
let engine: Engine;

beforeAll(async () => {
  await migrate(postgres.url);
  const database = new Database(postgres.url);
  await createTaskTables(database.db);
  await database.onApplicationShutdown();
  engine = await startEngine({
    databaseUrl: postgres.url,
    redisUrl: undefined,
    roles: 'scheduler,worker',
    lockMs: 1_000,
  });
});
afterAll(() => engine?.stop());

describe('queue on PostgreSQL', { timeout: 120_000 }, () => {
  it('runs every waiting row once, though PostgreSQL restarts in the middle', () =>
    survives(engine, () => postgres.restart()));

  it('runs every waiting row once, though PostgreSQL is killed in the middle', () =>
    survives(engine, async () => {
      await postgres.kill();
      await postgres.restart();
    }));
});
