import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { startSite } from '../../../test/harness/site.js';
import { HttpClient } from '../../platform/http/http-client.js';
import { OperationsModule } from '../operations.module.js';

const given = testDatabase();
let api: Api;

beforeAll(async () => {
  const config = { allowNetworks: ['127.0.0.1'], hostLimits: new Map([['api.named.example', 600]]) };
  api = await startApi({ databaseUrl: given.url, config, modules: [OperationsModule] });
  await given.database.pool.query(`
    WITH made AS (
      INSERT INTO sources (type, external_id, title)
      SELECT 'rss', 'https://' || host || '/' || at, '' FROM unnest(ARRAY['busy.example', 'quiet.example']) AS host, generate_series(1, 3) AS at
      RETURNING id, external_id)
    INSERT INTO fetch_states (id, type, host, active_followers)
    SELECT id, 'rss', split_part(external_id, '/', 3), id % 2 FROM made`);
  await given.database.pool.query(`
    INSERT INTO host_backoffs (host, until, reason) VALUES
      ('closed.example', now() + interval '1 hour', 'closed.example answered 503'), ('open.example', now() - interval '1 hour', '')`);
});
afterAll(() => api?.stop());

const ask = async (method: 'GET' | 'PUT' | 'DELETE', path: string, payload?: object) => {
  const answer = await api.send({
    method,
    url: `/api/v1/hosts${path}`,
    key: api.adminKey,
    ...(payload && { payload }),
  });
  return { status: answer.statusCode, body: answer.body ? answer.json() : undefined };
};
const names = async (query: string) => (await ask('GET', query)).body.items.map(({ host }: { host: string }) => host);

it('an administrator sees hosts with a limit and closed ones, and every host with sources if asked', async () => {
  await ask('PUT', '/busy.example', { requestsPerMinute: 30 });
  expect(await names('')).toEqual(['api.named.example', 'busy.example', 'closed.example']);
  expect(await names('?all=true')).toEqual(['api.named.example', 'busy.example', 'closed.example', 'quiet.example']);
  expect(await names('?all=true&q=QUI')).toEqual(['quiet.example']);
  const { items, nextCursor } = (await ask('GET', '?limit=2')).body;
  expect(items).toHaveLength(2);
  expect(await names(`?limit=2&cursor=${nextCursor}`)).toEqual(['closed.example']);
});

it('a host shows its limit, who says so, whether it is closed, and its sources', async () => {
  const { body } = await ask('PUT', '/busy.example', { requestsPerMinute: 30 });
  expect(body).toMatchObject({ requestsPerMinute: 30, origin: 'set', because: 'An administrator has set it.' });
  expect(body).toMatchObject({ sources: 3, usedLastMinute: 0, nextTurnAt: expect.any(String), closedUntil: null });
  expect(body.activeSources).toBeGreaterThan(0);
  expect(body.activeSources).toBeLessThan(3);
  expect((await ask('GET', '/closed.example')).body).toMatchObject({
    requestsPerMinute: null,
    usedLastMinute: null,
    closedBecause: 'closed.example answered 503',
    sources: 0,
    closedUntil: expect.any(String),
  });
  expect((await ask('GET', '/api.named.example')).body).toMatchObject({
    origin: 'environment',
    requestsPerMinute: 600,
  });
});

it('a limit that is set holds at once, and one that is forgotten no more', async () => {
  const site = await startSite((_, response) => response.end());
  const get = () => api.app.get(HttpClient).get(site.url('/', '127.0.0.1'), { timeouts: { line: 10 } });
  await get();
  await ask('PUT', '/127.0.0.1', { requestsPerMinute: 1 });
  await get();
  await expect(get()).rejects.toMatchObject({ code: 'HOST_BUSY' });
  expect((await ask('GET', '/127.0.0.1')).body).toMatchObject({ usedLastMinute: 1 });
  expect(await ask('DELETE', '/127.0.0.1')).toEqual({ status: 204, body: undefined });
  expect((await get()).status).toBe(200);
});

it('null takes a limit away', async () => {
  await ask('PUT', '/gone.example', { requestsPerMinute: 5 });
  const { body } = await ask('PUT', '/gone.example', { requestsPerMinute: null });
  expect(body).toMatchObject({ requestsPerMinute: null, origin: null, because: null, nextTurnAt: null });
});

it('what is in the environment is changed there', async () => {
  for (const { status, body } of [
    await ask('PUT', '/api.named.example', { requestsPerMinute: 5 }),
    await ask('DELETE', '/api.named.example'),
  ])
    expect([status, body.code]).toEqual([409, 'host_limit_fixed']);
});

it('what another process was given in its environment is changed there, too', async () => {
  await given.database.pool.query(`
    INSERT INTO host_limits (host, per_minute, origin, because) VALUES ('theirs.example', 60, 'environment', '')`);
  for (const { status, body } of [
    await ask('PUT', '/theirs.example', { requestsPerMinute: 5 }),
    await ask('DELETE', '/theirs.example'),
  ])
    expect([status, body.code]).toEqual([409, 'host_limit_fixed']);
});

it.each(['www.busy.example', 'no host', 'a.example:80', 'a.example%2Fx'])('%s is no host of its own', async (name) => {
  const { status, body } = await ask('PUT', `/${name.replace(' ', '%20')}`, { requestsPerMinute: 5 });
  expect([status, body.code]).toEqual([400, 'validation_failed']);
});

it('is for administrators', async () => {
  const made = await api.send({
    method: 'POST',
    url: '/api/v1/keys',
    key: api.adminKey,
    payload: { name: 'reader', scope: 'user' },
  });
  const answer = await api.send({ method: 'GET', url: '/api/v1/hosts', key: made.json().key });
  expect(answer.statusCode).toBe(403);
});
