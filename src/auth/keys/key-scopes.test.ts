import { Controller, Get, Post } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { AdminOnly, ChangesNeed } from './needs.js';

@Controller('notes')
class NotesController {
  @Get()
  read() {
    return [];
  }

  @Post()
  write() {
    return {};
  }

  @Post('publish')
  @ChangesNeed('publish')
  publish() {
    return {};
  }

  @Get('all')
  @AdminOnly()
  all() {
    return [];
  }
}

const db = testDatabase();
let api: Api;
beforeAll(async () => {
  api = await startApi({
    databaseUrl: db.url,
    controllers: [NotesController],
    // Stands for the real route, which needs the rest of the program: a route that the admin gate protects.
    extend: async (app) =>
      app
        .getHttpAdapter()
        .getInstance()
        .get('/metrics', async () => 'up 1'),
  });
});
afterAll(() => api?.stop());

const makeKey = (key: string, payload: object) => api.send({ method: 'POST', url: '/api/v1/keys', key, payload });
const keyWith = async (...scopes: string[]): Promise<string> => (await makeKey(api.adminKey, { scopes })).json().key;

const REQUESTS = {
  read: { method: 'GET', url: '/api/v1/notes' },
  write: { method: 'POST', url: '/api/v1/notes' },
  publish: { method: 'POST', url: '/api/v1/notes/publish' },
  metrics: { method: 'GET', url: '/metrics' },
  admin: { method: 'GET', url: '/api/v1/notes/all' },
} as const;
const SCOPES = ['read', 'write', 'publish', 'metrics', 'admin'] as const;

async function allowedTo(key: string): Promise<string[]> {
  const answers = await Promise.all(
    SCOPES.map(async (scope) => ({ scope, status: (await api.send({ ...REQUESTS[scope], key })).statusCode })),
  );
  return answers.filter(({ status }) => status < 300).map(({ scope }) => scope);
}

describe('a key', () => {
  it.each(SCOPES.slice(0, 4))('with the scope %s alone can do nothing else', async (scope) => {
    expect(await allowedTo(await keyWith(scope))).toEqual([scope]);
  });

  it('of a user can read, write and publish unless it was made for less', async () => {
    const { key, scopes } = (await makeKey(api.adminKey, { scope: 'user' })).json();
    expect(scopes).toEqual(['read', 'write', 'publish']);
    expect(await allowedTo(key)).toEqual(['read', 'write', 'publish']);
  });

  it('of an admin can do everything, however its scope was given', async () => {
    for (const payload of [{ scope: 'admin' }, { scopes: ['admin'] }]) {
      const { key, scope, scopes } = (await makeKey(api.adminKey, payload)).json();
      expect({ scope, scopes }).toEqual({ scope: 'admin', scopes: [...SCOPES] });
      expect(await allowedTo(key)).toEqual([...SCOPES]);
    }
  });

  it('says which scope it lacks', async () => {
    const { statusCode, ...refused } = await api.send({ ...REQUESTS.publish, key: await keyWith('read', 'write') });
    expect(statusCode).toBe(403);
    expect(refused.json()).toMatchObject({ code: 'scope_required', detail: expect.stringContaining('scope publish') });
  });

  it('makes no key that can do more than itself', async () => {
    const writing = await keyWith('read', 'write');
    expect((await makeKey(writing, { scopes: ['read'] })).statusCode).toBe(201);
    expect((await makeKey(writing, { scopes: ['publish'] })).json().code).toBe('scope_required');
    expect((await makeKey(writing, {})).json().code).toBe('scope_required');
    expect((await makeKey(await keyWith('read'), { scopes: ['read'] })).json().code).toBe('scope_required');
    const user = (await makeKey(api.adminKey, {})).json().key;
    for (const scopes of [['metrics'], ['admin'], ['read', 'admin']])
      expect((await makeKey(user, { scopes })).json().code, scopes.join()).toBe('admin_required');
  });

  it('hands its scopes on to a session', async () => {
    const key = await keyWith('read');
    const signedIn = await api.send({ method: 'POST', url: '/api/v1/session', payload: { key } });
    const headers = { cookie: String(signedIn.headers['set-cookie']).split(';')[0], 'sec-fetch-site': 'same-origin' };
    expect((await api.send({ ...REQUESTS.read, headers })).statusCode).toBe(200);
    expect((await api.send({ ...REQUESTS.write, headers })).json().code).toBe('scope_required');
    expect((await api.send({ method: 'DELETE', url: '/api/v1/session', headers })).statusCode).toBe(204);
  });
});
