import { createHash } from 'node:crypto';
import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { CurrentUser, type User } from '../users/user.js';
import { AcceptsAppPasswords, AppAuthenticator } from './app-authenticator.js';

@AcceptsAppPasswords()
@Controller('app')
class AppController {
  @Get()
  read(@CurrentUser() user: User) {
    return user;
  }

  @Post()
  @HttpCode(200)
  write(@CurrentUser() user: User) {
    return user;
  }
}

const db = testDatabase();
let api: Api;
beforeAll(async () => {
  api = await startApi({ databaseUrl: db.url, controllers: [AppController] });
});
afterAll(() => api?.stop());

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

function person(externalId: string) {
  const headers = { 'x-millrace-user': externalId };
  const send = (method: Method, url: string, payload?: object) =>
    api.send({ method, url: `/api/v1${url}`, key: api.adminKey, headers, ...(payload && { payload }) });
  const newPassword = async (name = 'phone') => (await send('POST', '/app-passwords', { name })).json();
  return { send, newPassword };
}

const basic = (userName: string, password: string) =>
  `Basic ${Buffer.from(`${userName}:${password}`).toString('base64')}`;
const asApp = (headers: Record<string, string>, method: Method = 'GET') =>
  api.send({ method, url: '/api/v1/app', headers });

describe('an app password', () => {
  it('is shown once, and listed without itself', async () => {
    const { send, newPassword } = person('ann');
    const made = await newPassword();
    expect(made).toMatchObject({ name: 'phone', userName: 'ann', lastUsedAt: null });
    expect(made.password).toMatch(/^([a-z2-9]{4}-){4}[a-z2-9]{4}$/);
    const { items } = (await send('GET', '/app-passwords')).json();
    const { password: _, ...shown } = made;
    expect(items).toEqual([shown]);
    const { rows } = await db.database.pool.query('SELECT * FROM app_passwords WHERE id = $1', [made.id]);
    expect(JSON.stringify(rows)).not.toContain(made.password);
    expect(JSON.stringify(rows)).not.toContain(md5(`ann:${made.password}`));
  });

  it.each([
    ['Basic', (name: string, password: string) => ({ authorization: basic(name, password) })],
    [
      'Basic, with the name in capitals',
      (name: string, password: string) => ({ authorization: basic(name.toUpperCase(), password) }),
    ],
    ['GoogleLogin', (_: string, password: string) => ({ authorization: `GoogleLogin auth=${password}` })],
    ['Bearer', (_: string, password: string) => ({ authorization: `Bearer ${password}` })],
    ['X-Auth-Token', (_: string, password: string) => ({ 'x-auth-token': password })],
  ])('identifies its user by %s', async (_, headers) => {
    const { send, newPassword } = person('bob');
    const { password, userName } = await newPassword();
    const { id } = (await send('GET', '/users/me')).json();
    for (const method of ['GET', 'POST'] as const) {
      expect((await asApp(headers(userName, password), method)).json()).toMatchObject({ id, scope: 'user' });
    }
  });

  it('identifies its user by the digest of Fever', async () => {
    const { send, newPassword } = person('cleo');
    const { password, userName } = await newPassword();
    const { id } = (await send('GET', '/users/me')).json();
    const apps = api.app.get(AppAuthenticator);
    const key = md5(`${userName}:${password}`);
    expect(await apps.byFeverKey(key, '127.0.0.1')).toMatchObject({ id });
    expect(await apps.byFeverKey(key.toUpperCase(), '127.0.0.1')).toMatchObject({ id });
    expect(await apps.byFeverKey(md5(`${userName}:other`), '127.0.0.1')).toBeUndefined();
  });

  it('opens nothing but what reading apps need', async () => {
    const { password } = await person('dan').newPassword();
    for (const path of ['/feed', '/sources', '/app-passwords', '/users/me'])
      expect((await api.send({ url: `/api/v1${path}`, key: password })).statusCode).toBeGreaterThanOrEqual(401);
    const response = await api.send({
      method: 'POST',
      url: '/api/v1/app-passwords',
      key: password,
      payload: { name: 'x' },
    });
    expect(response.statusCode).toBe(401);
  });

  it('does not work with the name of somebody else, with none, or after a change of it', async () => {
    const { password } = await person('eve').newPassword();
    expect((await asApp({ authorization: basic('frank', password) })).statusCode).toBe(401);
    expect((await asApp({})).json().code).toBe('authentication_required');
    expect((await asApp({ authorization: basic('eve', `${password}x`) })).json().code).toBe('invalid_key');
    expect((await asApp({ authorization: 'Basic nonsense' })).statusCode).toBe(401);
  });

  it('ends at once when it is revoked, and only its user can revoke it', async () => {
    const [{ send, newPassword }, other] = [person('gil'), person('hal')];
    const { id, password } = await newPassword();
    expect((await asApp({ 'x-auth-token': password })).statusCode).toBe(200);
    expect((await other.send('DELETE', `/app-passwords/${id}`)).statusCode).toBe(404);
    expect((await asApp({ 'x-auth-token': password })).statusCode).toBe(200);
    expect((await send('DELETE', `/app-passwords/${id}`)).statusCode).toBe(204);
    expect((await asApp({ 'x-auth-token': password })).statusCode).toBe(401);
    expect((await send('GET', '/app-passwords')).json().items).toEqual([]);
  });

  it('records its last use', async () => {
    const { send, newPassword } = person('ida');
    const { id, password } = await newPassword();
    const lastUsed = async () => (await send('GET', '/app-passwords')).json().items[0]?.lastUsedAt;
    await asApp({ 'x-auth-token': password });
    await expect.poll(lastUsed).toBe(api.clock.now().toISOString());
    await db.database.pool.query('UPDATE app_passwords SET last_used_at = NULL WHERE id = $1', [id]);
    await asApp({ 'x-auth-token': password });
    expect(await lastUsed()).toBeNull();
    api.clock.advance(120_000);
    await asApp({ 'x-auth-token': password });
    await expect.poll(lastUsed).toBe(api.clock.now().toISOString());
  });
});

it('accepts keys where it accepts app passwords, with the scopes that they have', async () => {
  const key = { authorization: `GoogleLogin auth=${api.adminKey}` };
  expect((await asApp(key)).json()).toMatchObject({ scope: 'admin' });
  const payload = { scopes: ['read'] };
  const made = (await api.send({ method: 'POST', url: '/api/v1/keys', key: api.adminKey, payload })).json();
  expect((await asApp({ authorization: basic('anybody', made.key) })).statusCode).toBe(200);
  expect((await asApp({ 'x-auth-token': made.key }, 'POST')).json().code).toBe('scope_required');
});

it('refuses sessions, which other sites could use', async () => {
  const payload = { key: api.adminKey };
  const signedIn = await api.send({ method: 'POST', url: '/api/v1/session', payload });
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? '';
  expect((await api.send({ url: '/api/v1/users/me', headers: { cookie } })).statusCode).toBe(200);
  expect((await asApp({ cookie })).statusCode).toBe(401);
});

it('answers 429 to somebody who guesses', async () => {
  const guess = (at: number) => asApp({ authorization: basic('ann', `aaaa-guess-${at}`) });
  const statuses = new Set<number>();
  for (let at = 0; at < 80; at++) statuses.add((await guess(at)).statusCode);
  expect([...statuses]).toEqual([401, 429]);
});

describe('a user name', () => {
  it('comes from the name of the user, is unique, and can be changed', async () => {
    await api.send({
      method: 'POST',
      url: '/api/v1/users',
      key: api.adminKey,
      payload: { externalId: 'z-1', name: 'Zoë  Müller' },
    });
    await api.send({
      method: 'POST',
      url: '/api/v1/users',
      key: api.adminKey,
      payload: { externalId: 'z-2', name: 'zoe muller' },
    });
    const [first, second] = [person('z-1'), person('z-2')];
    expect((await first.send('GET', '/users/me')).json().userName).toBeNull();
    const [made, other] = [await first.newPassword(), await second.newPassword()];
    expect(made.userName).toBe('zoe-muller');
    expect(other.userName).toBe('z-2');
    const rename = (userName: string) => second.send('PATCH', '/users/me', { userName });
    expect((await rename('Zoe-Muller')).json().code).toBe('user_exists');
    expect((await rename('with:colon')).statusCode).toBe(400);
    expect((await rename('zoe@example.org')).json()).toMatchObject({ userName: 'zoe@example.org' });
    expect((await asApp({ authorization: basic('zoe@example.org', other.password) })).statusCode).toBe(200);
    expect((await asApp({ authorization: basic('z-2', other.password) })).statusCode).toBe(200);
  });

  it('is the number of a user whose names cannot be typed', async () => {
    const { id } = (
      await api.send({
        method: 'POST',
        url: '/api/v1/users',
        key: api.adminKey,
        payload: { externalId: '::', name: '李' },
      })
    ).json();
    expect((await person('::').newPassword()).userName).toBe(`user-${id}`);
  });
});

const md5 = (text: string) => createHash('md5').update(text).digest('hex');
