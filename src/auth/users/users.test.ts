import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';

const db = testDatabase();
let api: Api;
beforeAll(async () => {
  api = await startApi({ databaseUrl: db.url });
});
afterAll(() => api?.stop());

const create = (payload: object) => api.send({ method: 'POST', url: '/api/v1/users', key: api.adminKey, payload });
const meAs = (externalId: string, key = api.adminKey) =>
  api.send({ url: '/api/v1/users/me', key, headers: { 'x-millrace-user': externalId } });

it('makes a user, once per external id', async () => {
  const response = await create({ externalId: 'ann', name: 'Ann' });
  expect(response.statusCode).toBe(201);
  expect(response.json()).toMatchObject({ id: expect.stringMatching(/^\d+$/), externalId: 'ann', name: 'Ann' });
  expect((await create({ externalId: 'ann' })).json().code).toBe('user_exists');
});

it('says who is asking', async () => {
  const me = (await api.send({ url: '/api/v1/users/me', key: api.adminKey })).json();
  expect(me).toMatchObject({ name: 'admin', scope: 'admin', externalId: null });
});

it.each([
  ['NUL', '"a\\u0000b"'],
  ['half a surrogate pair', '"a\\ud800b"'],
])('refuses a name with %s, which cannot be stored', async (_, name) => {
  const headers = { 'content-type': 'application/json' };
  for (const url of ['/api/v1/users', '/api/v1/keys']) {
    const response = await api.send({ method: 'POST', url, key: api.adminKey, headers, payload: `{"name":${name}}` });
    expect(response.statusCode).toBe(400);
    expect(response.json().errors).toEqual([{ path: 'name', message: expect.stringContaining('NUL') }]);
  }
});

describe('an admin key that acts for a user', () => {
  it('is that user, and no admin', async () => {
    const { id } = (await create({ externalId: 'bob@example.org' })).json();
    expect((await meAs('bob@example.org')).json()).toMatchObject({ id, scope: 'user' });
    const headers = { 'x-millrace-user': 'bob@example.org' };
    const response = await api.send({ url: '/api/v1/users', key: api.adminKey, headers });
    expect(response.json().code).toBe('admin_required');
  });

  it('makes no user where the request is refused', async () => {
    for (const url of ['/api/v1/users', '/openapi.json']) {
      const response = await api.send({ url, key: api.adminKey, headers: { 'x-millrace-user': 'unwelcome' } });
      expect(response.json().code).toBe('admin_required');
    }
    expect((await create({ externalId: 'unwelcome' })).statusCode).toBe(201);
  });

  it('makes the user on first use, one however many come first at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => meAs('first-timer')));
    const ids = answers.map((answer) => answer.json().id);
    expect(ids[0]).toMatch(/^\d+$/);
    expect(new Set(ids).size).toBe(1);
  });

  it('refuses an id that is none', async () => {
    for (const externalId of ['', 'with space', 'x'.repeat(129), 'a,b', 'ümlaut']) {
      const response = await meAs(externalId);
      expect(response.json().errors?.[0].path, externalId).toBe('X-Millrace-User');
    }
  });

  it('needs to be an admin key', async () => {
    const payload = { userId: (await create({})).json().id };
    const { key } = (await api.send({ method: 'POST', url: '/api/v1/keys', key: api.adminKey, payload })).json();
    const response = await meAs('ann', key);
    expect(response.statusCode).toBe(403);
    expect(response.json().code).toBe('cannot_act_for_others');
  });
});
