import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { FirstAdmin } from '../keys/first-admin.js';

const db = testDatabase();
let api: Api;
beforeAll(async () => {
  api = await startApi({ databaseUrl: db.url });
});
afterAll(() => api?.stop());

let visitor = 0;
beforeEach(() => {
  visitor++;
});
/** Each test uses its own address, because sign-ins are counted by address. */
const send = (request: Parameters<Api['send']>[0]) => api.send({ remoteAddress: `10.0.0.${visitor}`, ...request });

const SESSION = '/api/v1/session';
const signIn = (key = api.adminKey, headers = {}) => send({ method: 'POST', url: SESSION, payload: { key }, headers });
const cookieOf = ({ headers }: { headers: Record<string, unknown> }) =>
  String(headers['set-cookie']).split(';')[0] ?? '';
const me = (cookie: string) => send({ url: '/api/v1/users/me', headers: { cookie } });
const makeKey = async () =>
  (await send({ method: 'POST', url: '/api/v1/keys', key: api.adminKey, payload: {} })).json();

describe('a session', () => {
  it('starts with a key and is held in a cookie that scripts and other sites cannot use', async () => {
    const response = await signIn();
    expect(response.statusCode).toBe(201);
    const cookie = String(response.headers['set-cookie']);
    expect(cookie).toMatch(/^millrace_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
    expect((await me(cookieOf(response))).json()).toMatchObject({ scope: 'admin' });
  });

  it('has a secure cookie where the public address is HTTPS', async () => {
    const secure = await startApi({ databaseUrl: db.url, config: { publicUrl: 'https://millrace.example' } });
    try {
      const { key } = await makeKey();
      const response = await secure.send({ method: 'POST', url: SESSION, payload: { key } });
      expect(response.headers['set-cookie']).toMatch(/; Secure$/);
    } finally {
      await secure.stop();
    }
  });

  it('is not stored in clear', async () => {
    const token = cookieOf(await signIn()).split('=')[1] ?? '';
    const { rows } = await db.database.db.execute(sql`SELECT hash FROM sessions`);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('does not start with a wrong key', async () => {
    const response = await signIn('mr_wrong');
    expect(response.json().code).toBe('invalid_key');
    expect(response.headers['set-cookie']).toBeUndefined();
  });

  it('ends when signed out, when its key is revoked and after 30 days', async () => {
    const headers = { 'sec-fetch-site': 'same-origin' };
    const left = cookieOf(await signIn());
    const response = await send({ method: 'DELETE', url: SESSION, headers: { ...headers, cookie: left } });
    expect(response.statusCode).toBe(204);
    expect(response.headers['set-cookie']).toMatch(/^millrace_session=; Max-Age=0;/);
    expect((await me(left)).statusCode).toBe(401);

    const { id, key } = await makeKey();
    const revoked = cookieOf(await signIn(key));
    expect((await me(revoked)).statusCode).toBe(200);
    await send({ method: 'DELETE', url: `/api/v1/keys/${id}`, key: api.adminKey });
    expect((await me(revoked)).statusCode).toBe(401);

    const old = cookieOf(await signIn());
    api.clock.advance(30 * 24 * 3600_000 - 1000);
    expect((await me(old)).statusCode).toBe(200);
    api.clock.advance(1000);
    expect((await me(old)).statusCode).toBe(401);
  });
});

describe('a change asked for by cookie', () => {
  const change = async (headers: Record<string, string>) => {
    const cookie = cookieOf(await signIn());
    const host = 'millrace.local:3000';
    return send({ method: 'POST', url: '/api/v1/users', headers: { host, cookie, ...headers }, payload: {} });
  };

  it('is accepted from our own pages', async () => {
    expect((await change({ 'sec-fetch-site': 'same-origin' })).statusCode).toBe(201);
    expect((await change({ origin: 'http://millrace.local:3000' })).statusCode).toBe(201);
  });

  it('is refused from other sites, sister hosts, opaque origins and where nothing says whence', async () => {
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site', origin: 'http://millrace.local:3000' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'http://millrace.local:3001' },
      { origin: 'null' },
      {},
    ];
    for (const headers of foreign) {
      const response = await change(headers);
      expect(response.statusCode, JSON.stringify(headers)).toBe(403);
      expect(response.json().code).toBe('cross_site_request');
    }
  });

  it('does not fall back to the cookie when the key is wrong', async () => {
    expect((await change({ 'sec-fetch-site': 'same-origin', authorization: 'Bearer mr_wrong' })).statusCode).toBe(401);
  });
});

describe('the sign-in link', () => {
  const link = () => api.app.get(FirstAdmin).signInLink();

  it('signs in once and leads to the start page', async () => {
    const url = await link();
    const response = await send({ url });
    expect(response.statusCode).toBe(303);
    expect(response.headers.location).toBe('/');
    expect((await me(cookieOf(response))).json()).toMatchObject({ scope: 'admin' });

    const again = await send({ url });
    expect(again.statusCode).toBe(401);
    expect(again.headers['set-cookie']).toBeUndefined();
    expect(again.body).toContain('used already');
  });

  it('works for one of several who open it at once', async () => {
    const url = await link();
    const answers = await Promise.all(Array.from({ length: 5 }, () => send({ url })));
    expect(answers.filter(({ statusCode }) => statusCode === 303)).toHaveLength(1);
  });

  it('is not used up by a look at its headers', async () => {
    const url = await link();
    await send({ method: 'HEAD', url });
    expect((await send({ url })).statusCode).toBe(303);
  });

  it('is good for 15 minutes', async () => {
    const url = await link();
    api.clock.advance(15 * 60_000);
    expect((await send({ url })).statusCode).toBe(401);
  });

  it('is not stored in clear', async () => {
    const token = (await link()).split('=')[1] ?? '';
    const { rows } = await db.database.db.execute(sql`SELECT hash FROM sign_in_links`);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe('the sign-in page', () => {
  const submit = (form: Record<string, string>, headers = {}) =>
    send({
      method: 'POST',
      url: '/sign-in',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams(form).toString(),
    });

  it('asks for a key and allows its own style alone', async () => {
    const { body, headers } = await send({ url: '/sign-in?next=/docs%3Fa=1%26copy=2' });
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const style = /<style>(.*)<\/style>/s.exec(body)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers['content-security-policy']).toContain(`style-src 'sha256-${hash}';`);
    expect(body).toContain('<label for="key">');
    expect(body).toContain('value="/docs?a=1&amp;copy=2"');
  });

  it('leads on to where the visitor was going', async () => {
    const response = await submit({ key: ` ${api.adminKey} `, next: '/docs?a=1' });
    expect(response.statusCode).toBe(303);
    expect(response.headers.location).toBe('/docs?a=1');
    expect(response.headers['set-cookie']).toContain('millrace_session=');
  });

  it('leads nowhere else than to this server', async () => {
    for (const next of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      'x"><script>',
    ]) {
      expect((await submit({ key: api.adminKey, next })).headers.location, next).toBe('/');
      expect((await send({ url: `/sign-in?next=${encodeURIComponent(next)}` })).body).toContain(
        'name="next" value="/"',
      );
    }
  });

  it('says so when the key is wrong', async () => {
    const response = await submit({ key: 'mr_wrong', next: '/docs' });
    expect(response.statusCode).toBe(401);
    expect(response.body).toMatch(/role="alert"[^>]*>This key is unknown/);
  });

  it('signs nobody in for another site', async () => {
    const response = await submit({ key: api.adminKey }, { 'sec-fetch-site': 'cross-site' });
    expect(response.json().code).toBe('cross_site_request');
    expect(response.headers['set-cookie']).toBeUndefined();
  });

  it('takes no more than a key is long', async () => {
    expect((await submit({ key: 'x'.repeat(5_000) })).json().code).toBe('body_too_large');
    expect((await signIn('x'.repeat(5_000))).json().code).toBe('body_too_large');
  });

  it('lets an address fail ten times a minute, and never refuses a key that is right', async () => {
    const attempts = [];
    for (let i = 0; i < 11; i++) attempts.push((await signIn('mr_wrong')).statusCode);
    expect(attempts).toEqual([...Array(10).fill(401), 429]);
    const response = await submit({ key: 'mr_wrong' });
    expect(response.json().code).toBe('rate_limited');
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    expect((await signIn(api.adminKey, {})).statusCode).toBe(201);
    expect(
      (await send({ remoteAddress: '10.9.9.9', method: 'POST', url: SESSION, payload: { key: api.adminKey } }))
        .statusCode,
    ).toBe(201);
  });
});

it('creates a link for the owner of a key, which signs them in once', async () => {
  const { id: userId } = (await send({ method: 'POST', url: '/api/v1/users', key: api.adminKey, payload: {} })).json();
  const made = await send({ method: 'POST', url: '/api/v1/keys', key: api.adminKey, payload: { userId } });
  const { key } = made.json();
  const response = await send({ method: 'POST', url: '/api/v1/session/links', key });
  expect(response.statusCode).toBe(201);
  expect(response.headers['cache-control']).toBe('no-store');
  const { pathname, search } = new URL(response.json().url);
  const signedIn = await send({ url: `${pathname}${search}` });
  expect(signedIn.statusCode).toBe(303);
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? '';
  expect((await send({ url: '/api/v1/users/me', headers: { cookie } })).json().id).toBe(userId);
  expect((await send({ url: `${pathname}${search}` })).statusCode).toBe(401);
  expect((await send({ method: 'POST', url: '/api/v1/session/links' })).statusCode).toBe(401);
});
