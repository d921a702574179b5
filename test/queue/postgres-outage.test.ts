import { afterAll, beforeAll, describe, it } from 'vitest';
import { Database } from '../../src/platform/database/database.js';
import { administer } from '../harness/administration.js';
import { ownPostgres } from '../harness/postgres.js';
import { type Engine, startEngine } from './engine.js';
import { survives } from './outage-conformance.js';
import { createTaskTables } from './tasks.js';

const postgres = ownPostgres();
let engine: Engine;

beforeAll(async () => {
  const database = new Database(postgres.url);
  await createTaskTables(database.db);
  await database.onApplicationShutdown();
  const roles = 'scheduler,worker';
  engine = await startEngine({ databaseUrl: postgres.url, redisUrl: undefined, roles, lockMs: 1_000 });
});
afterAll(() => engine?.stop());

describe('queue on PostgreSQL', { timeout: 120_000 }, () => {
  it('runs every waiting row once, though PostgreSQL is killed and started again in the middle', () =>
    survives(engine, () => postgres.restart()));

  it('runs every waiting row once, though PostgreSQL ends all connections in the middle', () =>
    survives(engine, () =>
      administer(postgres.url, 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()'),
    ));
});
