import { afterAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import type { Config } from '../../platform/config.js';

const db = testDatabase();
const running: Api[] = [];
afterAll(() => Promise.all(running.map((api) => api.stop())));

async function start(config: Partial<Config> = {}) {
  const api = await startApi({ databaseUrl: db.url, config: { adminKey: 'configured-key-number-one', ...config } });
  running.push(api);
  return api;
}

/** Counts the statuses of `times` requests. */
async function tally(times: number, request: (time: number) => Promise<{ statusCode: number }>) {
  const counts: Record<number, number> = {};
  for (let time = 0; time < times; time++) {
    const { statusCode } = await request(time);
    counts[statusCode] = (counts[statusCode] ?? 0) + 1;
  }
  return counts;
}

const signIn = (api: Api, remoteAddress: string, forwardedFor?: string) =>
  api.send({
    method: 'POST',
    url: '/api/v1/session',
    payload: { key: 'mr_wrong' },
    remoteAddress,
    ...(forwardedFor && { headers: { 'x-forwarded-for': forwardedFor } }),
  });

describe('X-Forwarded-For', () => {
  it('is believed from nobody by default, also with a public address', async () => {
    const api = await start({ publicUrl: 'https://millrace.example/' });
    expect(await tally(12, (time) => signIn(api, '127.0.0.2', `203.0.113.${time}`))).toEqual({ 401: 10, 429: 2 });
  });

  it('is believed from the proxies that are listed alone', async () => {
    const api = await start({ trustProxies: ['10.1.0.0/16'] });
    expect(await tally(12, (time) => signIn(api, '10.1.2.3', `198.51.100.${time}`))).toEqual({ 401: 12 });
    expect(await tally(12, (time) => signIn(api, '10.2.2.3', `198.51.100.${time}`))).toEqual({ 401: 10, 429: 2 });
  });
});

it('counts all addresses of an IPv6 network as one', async () => {
  const api = await start();
  expect(await tally(12, (time) => signIn(api, `2001:db8:1:2::${time}`))).toEqual({ 401: 10, 429: 2 });
  expect((await signIn(api, '2001:db8:1:3::1')).statusCode).toBe(401);
});

describe('an address that sends keys and sessions that are none', () => {
  const me = (api: Api, remoteAddress: string, headers: Record<string, string>) =>
    api.send({ url: '/api/v1/users/me', remoteAddress, headers });

  it('is refused after sixty a minute that begin alike, and after six hundred in all', async () => {
    const api = await start();
    const alike = (time: number) => me(api, '192.0.2.1', { authorization: `Bearer mr_sevench${time}` });
    expect(await tally(70, alike)).toEqual({ 401: 60, 429: 10 });
    const refused = await alike(71);
    expect(refused.json().code).toBe('rate_limited');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);

    const different = (time: number) => me(api, '192.0.2.1', { cookie: `millrace_session=${time}` });
    expect(await tally(600, different)).toEqual({ 401: 529, 429: 71 });
  });

  it('does not keep others out', async () => {
    const api = await start();
    await tally(61, () => me(api, '192.0.2.1', { authorization: 'Bearer mr_wrong' }));
    const authorization = 'Bearer configured-key-number-one';
    expect((await me(api, '192.0.2.2', { authorization })).statusCode).toBe(200);
  });

  it('does not keep out a key that is right, although it was never used before, nor who signs in with it', async () => {
    const api = await start();
    const authorization = 'Bearer configured-key-number-one';
    await tally(61, () => me(api, '192.0.2.1', { authorization: 'Bearer configured-key-number-two' }));
    expect((await me(api, '192.0.2.1', { authorization: 'Bearer configured-key-number-two' })).statusCode).toBe(429);
    expect((await me(api, '192.0.2.1', { authorization })).statusCode).toBe(200);

    await tally(12, () => signIn(api, '192.0.2.1'));
    const payload = { key: 'configured-key-number-one' };
    const good = await api.send({ method: 'POST', url: '/api/v1/session', payload, remoteAddress: '192.0.2.1' });
    expect(good.statusCode).toBe(201);
  });
});
