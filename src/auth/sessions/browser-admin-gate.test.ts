import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';

const db = testDatabase();
let api: Api;
beforeAll(async () => {
  api = await startApi({ databaseUrl: db.url, extend: addBoard });
});
afterAll(() => api?.stop());

/** A third-party plug-in with its own prefix, context and error handler. */
async function addBoard(app: NestFastifyApplication) {
  await app
    .getHttpAdapter()
    .getInstance()
    .register(
      async (fastify) => {
        fastify.setErrorHandler((_error, _request, reply) => reply.status(500).send('its own shape'));
        fastify.get('/', async () => 'board');
        fastify.post('/retry', async () => 'retried');
      },
      { prefix: '/admin/queues' },
    );
}

const signIn = async (key: string) => {
  const response = await api.send({ method: 'POST', url: '/api/v1/session', payload: { key } });
  return String(response.headers['set-cookie']).split(';')[0] ?? '';
};
const userKey = async () =>
  (await api.send({ method: 'POST', url: '/api/v1/keys', key: api.adminKey, payload: {} })).json().key;

it('keeps everyone but admins from what lies below /admin', async () => {
  for (const url of ['/admin/queues', '/admin/queues/', '/%61dmin/queues/']) {
    expect((await api.send({ url })).json().code, url).toBe('authentication_required');
    expect((await api.send({ url, key: await userKey() })).json().code, url).toBe('admin_required');
    expect((await api.send({ url, key: api.adminKey })).body, url).toBe('board');
  }
});

it('lets an admin in by cookie, and changes only from our own pages', async () => {
  const cookie = await signIn(api.adminKey);
  expect((await api.send({ url: '/admin/queues', headers: { cookie } })).body).toBe('board');
  const retry = (headers: Record<string, string>) =>
    api.send({ method: 'POST', url: '/admin/queues/retry', headers: { cookie, ...headers } });
  expect((await retry({ 'sec-fetch-site': 'cross-site' })).json().code).toBe('cross_site_request');
  expect((await retry({ 'sec-fetch-site': 'same-origin' })).body).toBe('retried');
});

it('sends a browser that is not signed in to the sign-in page, but not one signed in as a user', async () => {
  const headers = { accept: 'text/html' };
  const stranger = await api.send({ url: '/admin/queues', headers });
  expect(stranger.headers.location).toBe('/sign-in?next=%2Fadmin%2Fqueues');
  const cookie = await signIn(await userKey());
  const user = await api.send({ url: '/admin/queues', headers: { ...headers, cookie } });
  expect(user.json().code).toBe('admin_required');
});

it('is open where configured', async () => {
  const config = { openPaths: new Set(['admin'] as const) };
  const open = await startApi({ databaseUrl: db.url, extend: addBoard, config });
  try {
    expect((await open.send({ url: '/admin/queues' })).body).toBe('board');
    expect((await open.send({ url: '/docs' })).statusCode).toBe(401);
  } finally {
    await open.stop();
  }
});
