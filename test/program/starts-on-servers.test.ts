import { expect, it, vi } from 'vitest';
import { findFreePort } from '../../src/platform/database/embedded/free-port.js';
import { newDataFolder } from '../harness/data-folder.js';
import { redisUrl } from '../harness/redis.js';
import { ask, becomesReady } from './api-client.js';
import { postgresOn } from './embedded-server.js';
import { isListening } from './listening.js';
import { startMillrace } from './millrace-process.js';
import { newDatabase } from './new-database.js';
import { startConformance } from './start-conformance.js';
import { TaskRows } from './task-rows.js';

const redis = redisUrl();

async function newHome() {
  const [dataDir, database] = [newDataFolder(), await newDatabase()];
  const environment = { MILLRACE_DATA_DIR: dataDir, DATABASE_URL: database, REDIS_URL: redis };
  return { environment: { ...environment, PORT: '0' }, databaseUrl: async () => database };
}

startConformance(newHome);

it('shares the roles out among processes', { timeout: 60_000 }, async () => {
  const { environment, databaseUrl } = await newHome();
  const start = (roles: string, more = {}) =>
    startMillrace({ ...environment, MILLRACE_ROLES: roles, MILLRACE_SWEEP_MS: '200', ...more }, 'millrace-with-tasks');
  const workerPort = String(await findFreePort());
  // All at once, as a fleet is started: one of them migrates, and the others wait for it.
  const [api, scheduler, worker] = [
    start('api'),
    start('scheduler', { PORT: '' }),
    start('worker', { PORT: workerPort }),
  ];
  const address = await api.address();
  const workerAddress = `http://127.0.0.1:${workerPort}`;
  await Promise.all([scheduler.printed(/"running"/), worker.printed(/"running"/)]);

  const rows = new TaskRows(await databaseUrl());
  await rows.create();
  const [id = ''] = await rows.store(['ok']);
  await vi.waitFor(async () => expect(await rows.states([id])).toEqual(['done']), { timeout: 30_000, interval: 100 });
  expect(await rows.effects(id)).toEqual([worker.pid]);

  await becomesReady(address);
  await becomesReady(workerAddress);
  const key = await api.adminKey();
  for (const path of ['/api/v1/users', '/sign-in', '/docs', '/admin/queues', '/'])
    expect((await ask(`${workerAddress}${path}`, { key })).status, path).toBe(404);
  if (process.platform === 'linux') {
    expect(await isListening(worker.pid)).toBe(true);
    expect(await isListening(scheduler.pid)).toBe(false);
  }
  expect(await postgresOn(environment.MILLRACE_DATA_DIR)).toBeUndefined();

  for (const each of [worker, scheduler, api]) expect(await each.end('SIGTERM')).toEqual({ code: 0, signal: null });
  await rows.close();
});
