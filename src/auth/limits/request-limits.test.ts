import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { redisUrl } from '../../../test/harness/redis.js';
import { lineTo } from '../../../test/scraping/cut-line.js';

const db = testDatabase();
const redisAddress = redisUrl();
const ADMIN_KEY = 'configured-key-number-one';
const running: Api[] = [];
afterAll(() => Promise.all(running.map((api) => api.stop())));

async function start(requestsPerMinute: number, redis?: Redis) {
  const config = { requestsPerMinute, adminKey: ADMIN_KEY };
  const api = await startApi({ databaseUrl: db.url, config, ...(redis && { redis }) });
  running.push(api);
  return api;
}
const me = (api: Api, key: string) => api.send({ url: '/api/v1/users/me', key });

let generous: Api;
beforeAll(async () => {
  generous = await start(600);
});
const create = async (url: string, payload: object, key = ADMIN_KEY) =>
  (await generous.send({ method: 'POST', url, key, payload })).json();
/** Creates a key of a new user. */
const makeKey = async (): Promise<string> =>
  (await create('/api/v1/keys', { userId: (await create('/api/v1/users', {})).id })).key;

it('tells what is left, counts over all processes and refuses the rest with the time to wait', async () => {
  const [one, two] = [await start(3), await start(3)];
  const key = await makeKey();
  const left = [];
  for (const api of [one, two, one]) {
    const { statusCode, headers } = await me(api, key);
    expect(statusCode).toBe(200);
    expect(headers['ratelimit-limit']).toBe('3');
    expect(Number(headers['ratelimit-reset'])).toBeGreaterThan(0);
    left.push(headers['ratelimit-remaining']);
  }
  expect(left).toEqual(['2', '1', '0']);

  for (const api of [one, two, one]) {
    const refused = await me(api, key);
    expect(refused.statusCode).toBe(429);
    expect(refused.json().code).toBe('rate_limited');
    expect(refused.headers['ratelimit-remaining']).toBe('0');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  }
});

it('counts each user by themselves', async () => {
  const api = await start(2);
  const keys = [await makeKey(), await makeKey()];
  for (const key of keys) {
    const answers = [await me(api, key), await me(api, key), await me(api, key)];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429]);
  }
});

it('counts a user over all the keys they make', async () => {
  const api = await start(3);
  const key = await makeKey();
  // This is the first of three requests.
  const another = (await create('/api/v1/keys', {}, key)).key;
  const answers = [await me(api, key), await me(api, another), await me(api, another)];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429]);
});

it('counts an admin key by itself, whomever it acts for, and makes no user beyond the limit', async () => {
  const api = await start(3);
  const statuses = [];
  const { key } = await create('/api/v1/keys', { scope: 'admin' });
  for (const externalId of ['one', 'two', 'three', 'four']) {
    const headers = { 'x-millrace-user': externalId };
    statuses.push((await api.send({ url: '/api/v1/users/me', key, headers })).statusCode);
  }
  expect(statuses).toEqual([200, 200, 200, 429]);
  const { rows } = await db.database.pool.query(
    'SELECT external_id FROM users WHERE external_id IS NOT NULL ORDER BY id',
  );
  expect(rows).toEqual([{ external_id: 'one' }, { external_id: 'two' }, { external_id: 'three' }]);
  const another = (await create('/api/v1/keys', { scope: 'admin' })).key;
  expect((await me(api, another)).statusCode).toBe(200);
});

it('counts what is no controller as well', async () => {
  const api = await start(1);
  const { key } = await create('/api/v1/keys', { scope: 'admin' });
  expect((await api.send({ url: '/openapi.json', key })).headers['ratelimit-remaining']).toBe('0');
  expect((await api.send({ url: '/openapi.json', key })).statusCode).toBe(429);
});

it('counts on Redis where there is one, over all processes', async () => {
  const key = await makeKey();
  const connections = [new Redis(redisAddress), new Redis(redisAddress)];
  // The first requests must find Redis ready, or they would be counted in memory.
  await Promise.all(connections.map((redis) => redis.ping()));
  const [one, two] = await Promise.all(connections.map((redis) => start(2, redis)));
  if (!one || !two) throw new Error('two processes were wanted');
  const statuses = [];
  for (const api of [one, two, one, two]) statuses.push((await me(api, key)).statusCode);
  expect(statuses).toEqual([200, 200, 429, 429]);
  for (const redis of connections) redis.disconnect();
});

it('goes on answering, and counting, while Redis is away', async () => {
  const redis = new Redis('redis://127.0.0.1:1', { lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => undefined);
  const key = await makeKey();
  const api = await start(2, redis);
  const answers = [await me(api, key), await me(api, key), await me(api, key)];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429]);
  redis.disconnect();
});

it('goes on answering when the counts cannot be written', async () => {
  const api = await start(5);
  const key = await makeKey();
  await db.database.pool.query('ALTER TABLE request_counts RENAME TO request_counts_away');
  try {
    const response = await me(api, key);
    expect(response.statusCode).toBe(200);
    expect(response.headers['ratelimit-remaining']).toBe('4');
  } finally {
    await db.database.pool.query('ALTER TABLE request_counts_away RENAME TO request_counts');
  }
});

it('goes on when a Redis falls silent that has not hung up', async () => {
  const line = await lineTo(redisAddress);
  const config = { redisUrl: line.url, adminKey: ADMIN_KEY };
  const api = await startApi({ databaseUrl: db.url, config });
  expect((await me(api, ADMIN_KEY)).statusCode).toBe(200);
  line.hold();
  expect((await me(api, ADMIN_KEY)).statusCode).toBe(200);
  line.cut();
  await api.stop();
});
