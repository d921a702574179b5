import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';

const db = testDatabase();
let api: Api;
beforeAll(async () => {
  api = await startApi({ databaseUrl: db.url });
});
afterAll(() => api?.stop());

const KEYS = '/api/v1/keys';
const makeKey = async (key: string, payload: object = {}) =>
  (await api.send({ method: 'POST', url: KEYS, key, payload })).json();
const revoke = (key: string, id: string) => api.send({ method: 'DELETE', url: `${KEYS}/${id}`, key });
const makeUser = async () =>
  (await api.send({ method: 'POST', url: '/api/v1/users', key: api.adminKey, payload: {} })).json();
const makeUserKey = async () => makeKey(api.adminKey, { userId: (await makeUser()).id });

describe('without a good key', () => {
  it('answers 401 and says how to authenticate', async () => {
    const response = await api.send({ url: '/api/v1/users/me' });
    expect(response.statusCode).toBe(401);
    expect(response.json().code).toBe('authentication_required');
    expect(response.headers['www-authenticate']).toMatch(/^Bearer/);
  });

  it('answers 401 to an unknown key, another scheme and a key in the query', async () => {
    expect((await api.send({ url: '/api/v1/users/me', key: 'mr_unknown' })).json().code).toBe('invalid_key');
    for (const authorization of ['Basic YTpi', 'Bearer', `Token ${api.adminKey}`, '']) {
      expect((await api.send({ url: '/api/v1/users/me', headers: { authorization } })).statusCode).toBe(401);
    }
    expect((await api.send({ url: `/api/v1/users/me?key=${api.adminKey}` })).statusCode).toBe(401);
  });

  it('answers 401 to a revoked key at once', async () => {
    const made = await makeUserKey();
    expect((await api.send({ url: '/api/v1/users/me', key: made.key })).statusCode).toBe(200);
    expect((await revoke(api.adminKey, made.id)).statusCode).toBe(204);
    expect((await api.send({ url: '/api/v1/users/me', key: made.key })).json().code).toBe('invalid_key');
  });
});

describe('a key', () => {
  it('is shown once and stored as a hash only', async () => {
    const made = await makeUserKey();
    expect(made.key).toMatch(/^mr_[\w-]{43}$/);
    const listed = (await api.send({ url: KEYS, key: api.adminKey })).body;
    expect(listed).toContain(made.prefix);
    expect(listed).not.toContain(made.key);
    const { rows } = await db.database.db.execute(sql`SELECT row_to_json(api_keys)::text AS row FROM api_keys`);
    expect(JSON.stringify(rows)).toContain(made.prefix);
    expect(JSON.stringify(rows)).not.toContain(made.key.slice(10));
  });

  it('of a user is refused on admin endpoints', async () => {
    const { key } = await makeUserKey();
    for (const method of ['GET', 'POST'] as const) {
      const response = await api.send({ method, url: '/api/v1/users', key });
      expect(response.statusCode).toBe(403);
      expect(response.json().code).toBe('admin_required');
    }
  });

  it('of a user makes, sees and revokes keys of that user only', async () => {
    const mine = await makeUserKey();
    const other = await makeUserKey();
    const further = await makeKey(mine.key, { name: 'laptop' });
    expect(further).toMatchObject({ userId: mine.userId, scope: 'user', name: 'laptop' });

    expect((await makeKey(mine.key, { scope: 'admin' })).code).toBe('admin_required');
    expect((await makeKey(mine.key, { userId: other.userId })).code).toBe('admin_required');
    const ids = (await api.send({ url: `${KEYS}?userId=${other.userId}`, key: mine.key })).json().items;
    expect(ids.map(({ id }: { id: string }) => id)).toEqual([mine.id, further.id]);

    expect((await revoke(mine.key, other.id)).json().code).toBe('not_found');
    expect((await revoke(mine.key, further.id)).statusCode).toBe(204);
    expect((await revoke(mine.key, further.id)).statusCode).toBe(204);
  });

  it('cannot be made for a user who does not exist', async () => {
    expect((await makeKey(api.adminKey, { userId: '999999' })).code).toBe('not_found');
  });

  it('is listed page by page, each once', async () => {
    const { key, userId } = await makeUserKey();
    for (let i = 0; i < 4; i++) await makeKey(key);
    const pageAt = async (cursor: string): Promise<{ items: { id: string }[]; nextCursor: string | null }> =>
      (await api.send({ url: `${KEYS}?userId=${userId}&limit=2${cursor}`, key: api.adminKey })).json();
    const seen: string[] = [];
    for (let page = await pageAt(''); ; page = await pageAt(`&cursor=${page.nextCursor}`)) {
      seen.push(...page.items.map(({ id }) => id));
      if (page.nextCursor === null) break;
    }
    expect(seen).toHaveLength(5);
    expect(new Set(seen).size).toBe(5);
  });
});

describe('the last admin key', () => {
  const adminKeys = async () =>
    (await api.send({ url: KEYS, key: api.adminKey }))
      .json()
      .items.filter((key: { scope: string; revokedAt: string | null }) => key.scope === 'admin' && !key.revokedAt);

  it('cannot be revoked, not even by two who revoke the last two at once', async () => {
    const second = await makeKey(api.adminKey, { scope: 'admin' });
    const [first] = await adminKeys();
    const answers = await Promise.all([revoke(api.adminKey, second.id), revoke(second.key, first.id)]);
    const [done, refused] = answers.toSorted((a, b) => a.statusCode - b.statusCode);
    expect(done?.statusCode).toBe(204);
    // A caller whose own key was revoked first is not recognised any more.
    expect(['last_admin_key', 'invalid_key']).toContain(refused?.json().code);
  });
});
