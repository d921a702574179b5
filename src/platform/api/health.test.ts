import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { administer } from '../../../test/harness/administration.js';
import { type Api, startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { Readiness } from './readiness.js';

const db = testDatabase();
let api: Api;
beforeAll(async () => {
  api = await startApi({ databaseUrl: db.url });
});
afterAll(() => api?.stop());

const ready = () => api.send({ url: '/health/ready' });

it('is ready when every part answers', async () => {
  const response = await ready();
  expect(response.statusCode).toBe(200);
  expect(response.json()).toEqual({ status: 'ready' });
});

it('names what is not ready, in the words of the part or without the inside of its error', async () => {
  const readiness = api.app.get(Readiness);
  readiness.register('queue', async () => 'has not answered for 40 s');
  readiness.register('broker', async () => {
    throw new Error('connect ECONNREFUSED 10.1.2.3:5672');
  });
  const response = await ready();
  expect(response.statusCode).toBe(503);
  expect(response.json()).toMatchObject({
    code: 'not_ready',
    errors: [
      { path: 'queue', message: 'has not answered for 40 s' },
      { path: 'broker', message: 'does not answer' },
    ],
  });
  readiness.register('queue', async () => undefined);
  readiness.register('broker', async () => undefined);
  expect((await ready()).statusCode).toBe(200);
});

it('stays ready with a warning, and says what it is', async () => {
  const readiness = api.app.get(Readiness);
  readiness.registerWarning('dns', () => 'is slow for many names');
  const response = await ready();
  expect(response.statusCode).toBe(200);
  expect(response.json()).toEqual({
    status: 'ready',
    warnings: [{ path: 'dns', message: 'is slow for many names' }],
  });
  readiness.registerWarning('dns', () => undefined);
  expect((await ready()).json()).toEqual({ status: 'ready' });
});

it('does not wait for a part that never answers', async () => {
  const readiness = api.app.get(Readiness);
  readiness.register('stuck', () => new Promise(() => undefined));
  expect((await ready()).json().errors).toEqual([{ path: 'stuck', message: 'did not answer within 2000 ms' }]);
  readiness.register('stuck', async () => undefined);
});

it('asks a part once for all probes that come meanwhile', async () => {
  const readiness = api.app.get(Readiness);
  let asked = 0;
  const answers: (() => void)[] = [];
  readiness.register('slow', () => {
    asked++;
    return new Promise((resolve) => answers.push(() => resolve(undefined)));
  });
  const probes = Array.from({ length: 20 }, () => readiness.problems());
  expect(asked).toBe(1);
  for (const answer of answers) answer();
  expect((await Promise.all(probes)).flat()).toEqual([]);
  void readiness.problems();
  expect(asked).toBe(2);
  readiness.register('slow', async () => undefined);
});

it('logs a part that fails once, not at every probe', async () => {
  const before = api.lines.length;
  api.app.get(Readiness).register('flaky', async () => 'is away');
  await ready();
  await ready();
  expect(api.lines.slice(before).filter(({ event }) => event === 'component_not_ready')).toMatchObject([
    { component: 'flaky' },
  ]);
});

it('lives without its database, is not ready meanwhile, and is again when it is back', async () => {
  const name = new URL(db.url).pathname.slice(1);
  const server = inject('postgresUrl');
  const databaseProblem = async () => (await api.app.get(Readiness).problems()).find(({ path }) => path === 'database');
  expect(await databaseProblem()).toBeUndefined();

  await administer(server, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await administer(server, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
  expect((await ready()).statusCode).toBe(503);
  expect(await databaseProblem()).toEqual({ path: 'database', message: 'does not answer' });
  expect((await api.send({ url: '/health/live' })).statusCode).toBe(200);

  await administer(server, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  expect(await databaseProblem()).toBeUndefined();
});
