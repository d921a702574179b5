import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../test/harness/api.js';
import { testDatabase } from '../../test/harness/database.js';
import { startSite } from '../../test/harness/site.js';
import { FollowingModule } from '../following/following.module.js';

const db = testDatabase();
let api: Api;
beforeAll(async () => {
  const config = { allowNetworks: ['127.0.0.1'], roles: new Set(['api'] as const) };
  api = await startApi({ databaseUrl: db.url, modules: [FollowingModule], config });
});
afterAll(() => api?.stop());

const SOURCES = '/api/v1/sources';
const feed = (name: string) => ({ type: 'rss', externalId: `https://example.org/${name}` });
/** A request of a user who is active already; a first request would activate the user in the background. */
const newKey = async (): Promise<string> => {
  const { id } = (await api.send({ method: 'POST', url: '/api/v1/users', key: api.adminKey, payload: {} })).json();
  await db.database.db.execute(sql`UPDATE users SET active = true, last_seen_at = now() WHERE id = ${id}`);
  const made = { method: 'POST', url: '/api/v1/keys', key: api.adminKey, payload: { userId: id } } as const;
  return (await api.send(made)).json().key;
};
const follow = (key: string, payload: object) => api.send({ method: 'POST', url: `${SOURCES}/follow`, key, payload });
const list = async (key: string, query = '') => (await api.send({ url: `${SOURCES}?${query}`, key })).json();
const names = async (key: string, query = '') =>
  (await list(key, query)).items.map(({ externalId }: { externalId: string }) => externalId.split('/').at(-1));

describe('following', () => {
  it('answers 202 with the source, and the same again the second time', async () => {
    const key = await newKey();
    const first = await follow(key, { type: 'rss', externalId: 'HTTP://Example.org:80/a b' });
    expect(first.statusCode).toBe(202);
    expect(first.json()).toMatchObject({
      type: 'rss',
      externalId: 'http://example.org/a%20b',
      title: null,
      folder: null,
      followers: 1,
      activeFollowers: 1,
      priority: 7,
      consecutiveFailures: 0,
      state: 'active',
      lastError: null,
      because: expect.arrayContaining(['It is queued to be fetched.']),
    });
    const again = await follow(key, { type: 'rss', externalId: 'http://example.org/a%20b', folder: 'News' });
    expect(again.json()).toMatchObject({ id: first.json().id, followers: 1, folder: 'News' });
  });

  it.each(['username', 'handle'])('takes %s for externalId, and a path without the version', async (alias) => {
    const [key, url] = [await newKey(), '/api/sources/follow'];
    const payload = { type: 'rss', [alias]: 'https://example.org/alias' };
    const answer = await api.send({ method: 'POST', url, key, payload });
    expect(answer.json()).toMatchObject({ type: 'rss', externalId: 'https://example.org/alias' });
    const both = await follow(key, { ...payload, externalId: 'https://example.org/other' });
    expect(both.json()).toMatchObject({ status: 400, errors: [{ path: alias, message: 'unknown field' }] });
    expect((await api.send({ url: '/api/nothing', key })).statusCode).toBe(404);
  });

  it('takes any address and finds out what is there', async () => {
    const site = await startSite((_, response) => response.end('<rss><title>News</title></rss>'));
    const url = `127.0.0.1:${site.port}/feed`;
    const answer = await follow(await newKey(), { url, title: 'Mine', folder: 'A/B' });
    expect(answer.json()).toMatchObject({ type: 'rss', externalId: `http://${url}`, title: 'Mine', folder: 'A/B' });
  });

  it.each([
    [{}, 'url'],
    [{ type: 'rss' }, 'externalId'],
    [{ externalId: 'https://example.org/' }, 'type'],
    [{ url: 'https://example.org/', type: 'rss' }, 'url'],
    [{ type: 'telegraph', externalId: 'x' }, 'type'],
    [{ ...feed('x'), externalId: 'no address' }, 'externalId'],
    [{ ...feed('x'), title: '' }, 'title'],
    [{ ...feed('x'), folder: '//' }, 'folder'],
    [{ ...feed('x'), folder: null }, 'folder'],
    [{ ...feed('x'), colour: 'red' }, 'colour'],
    [{ url: 'nonsense' }, 'url'],
  ])('of %j is refused and the field %s named', async (payload, path) => {
    const answer = await follow(api.adminKey, payload);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'validation_failed', errors: [{ path }] });
  });

  it('of an unknown type gets the list of known types', async () => {
    expect((await follow(api.adminKey, { type: 'telegraph', externalId: 'x' })).json().detail).toContain(
      'youtube, bluesky, mastodon, instagram, twitter, rss',
    );
  });

  it.each(['http://10.0.0.1/feed', 'http://[::1]/', 'http://0xa9fea9fe/', 'http://167772161/'])(
    'of %s is refused at once',
    async (externalId) => {
      const answer = await follow(api.adminKey, { type: 'rss', externalId });
      expect(answer.statusCode).toBe(422);
      expect(answer.json()).toMatchObject({ code: 'address_refused', errors: [{ path: 'externalId' }] });
      expect((await follow(api.adminKey, { url: externalId })).json().code).toBe('address_refused');
    },
  );
});

describe('a follow', () => {
  it('can be changed: null clears, what is not said stays', async () => {
    const key = await newKey();
    const { id } = (await follow(key, { ...feed('change'), folder: 'A', title: 'T' })).json();
    const change = async (payload: object) =>
      (await api.send({ method: 'PATCH', url: `${SOURCES}/${id}/follow`, key, payload })).json();
    expect(await change({ folder: ' B / C ' })).toMatchObject({ folder: 'B/C', title: 'T' });
    expect(await change({ title: null })).toMatchObject({ folder: 'B/C', title: null });
    expect(await change({ folder: null })).toMatchObject({ folder: null, title: null });
    expect(await change({})).toMatchObject({ id });
    expect(await change({ folder: 1 })).toMatchObject({ errors: [{ path: 'folder' }] });
  });

  it('shows the maximum delay that its user prefers', async () => {
    const key = await newKey();
    const followed = (await follow(key, { ...feed('max-delay'), maxDelayMinutes: 60, folder: 'A' })).json();
    expect(followed).toMatchObject({ maxDelayMinutes: 60 });
    const put = async (payload: object, id = followed.id) =>
      (await api.send({ method: 'PUT', url: `${SOURCES}/${id}/follow`, key, payload })).json();
    expect(await put({ maxDelayMinutes: 5 })).toMatchObject({ maxDelayMinutes: 5, folder: 'A' });
    expect(await put({ maxDelayMinutes: null, folder: 'B' })).toMatchObject({ maxDelayMinutes: null, folder: 'B' });
    expect(await put({ maxDelayMinutes: 5, folder: null })).toMatchObject({ maxDelayMinutes: 5, folder: null });
    for (const maxDelayMinutes of [0, 1_441, 1.5, 'soon', undefined])
      expect(await put({ maxDelayMinutes })).toMatchObject({ status: 400, errors: [{ path: 'maxDelayMinutes' }] });
    expect(await put({ maxDelayMinutes: 5 }, '999999')).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('ends, and then the source is out of sight for that user', async () => {
    const [key, other] = [await newKey(), await newKey()];
    const { id } = (await follow(key, feed('end'))).json();
    await follow(other, feed('end'));
    const unfollow = () => api.send({ method: 'DELETE', url: `${SOURCES}/${id}/follow`, key });
    expect((await unfollow()).statusCode).toBe(204);
    expect((await unfollow()).json().code).toBe('not_found');
    expect((await api.send({ url: `${SOURCES}/${id}`, key })).statusCode).toBe(404);
    expect((await api.send({ method: 'PATCH', url: `${SOURCES}/${id}/follow`, key, payload: {} })).statusCode).toBe(
      404,
    );
    expect((await api.send({ url: `${SOURCES}/${id}`, key: other })).json()).toMatchObject({ id, followers: 1 });
    expect((await api.send({ url: `${SOURCES}/${id}`, key: api.adminKey })).json()).toMatchObject({ id, folder: null });
  });
});

describe('the list', () => {
  it("has a user's own sources, page by page", async () => {
    const [key, other] = [await newKey(), await newKey()];
    for (const name of ['l1', 'l2', 'l3']) await follow(key, feed(name));
    await follow(other, feed('l2'));
    const first = await list(key, 'limit=2');
    const second = await list(key, `limit=2&cursor=${first.nextCursor}`);
    expect([...first.items, ...second.items].map(({ externalId }) => externalId)).toEqual(
      ['l1', 'l2', 'l3'].map((name) => feed(name).externalId),
    );
    expect(second.nextCursor).toBeNull();
    expect(await names(other)).toEqual(['l2']);
  });

  it('can be narrowed by state, type, folder and name', async () => {
    const key = await newKey();
    const ids: Record<string, string> = {};
    for (const [name, folder] of Object.entries({ f1: 'News', f2: 'News/Tech', f3: 'News_2', f4: undefined })) {
      ids[name] = (await follow(key, { ...feed(name), ...(folder && { folder }) })).json().id;
    }
    await follow(key, { type: 'mastodon', externalId: 'anna@social.example', title: '100% Anna' });
    await db.database.db.execute(sql`UPDATE fetch_states SET gone_at = now(), failing = true WHERE id = ${ids.f1}`);
    await db.database.db.execute(sql`UPDATE fetch_states SET failing = true WHERE id = ${ids.f2}`);
    await db.database.db.execute(sql`UPDATE fetch_states SET active_followers = 0 WHERE id = ${ids.f3}`);
    await db.database.db.execute(sql`UPDATE sources SET title = 'Four Feeds' WHERE id = ${ids.f4}`);
    expect(await names(key, 'state=gone')).toEqual(['f1']);
    expect(await names(key, 'state=failing')).toEqual(['f2']);
    expect(await names(key, 'state=paused')).toEqual(['f3']);
    expect(await names(key, 'state=active')).toEqual(['f4', 'anna@social.example']);
    expect(await names(key, 'type=mastodon')).toEqual(['anna@social.example']);
    expect(await names(key, 'folder=News')).toEqual(['f1', 'f2']);
    expect(await names(key, 'folder=News_2')).toEqual(['f3']);
    expect(await names(key, 'q=four')).toEqual(['f4']);
    expect(await names(key, 'q=100%25')).toEqual(['anna@social.example']);
    expect(await names(key, 'q=org/f2')).toEqual(['f2']);
    expect((await list(key, 'state=asleep')).errors).toMatchObject([{ path: 'state' }]);
  });
});

it('discovers what could be followed, and follows nothing', async () => {
  const html =
    '<link rel=alternate type=application/rss+xml href=/a title=A><link rel=alternate type=application/atom+xml href=/b>';
  const site = await startSite((_, response) => response.setHeader('content-type', 'text/html').end(html));
  const key = await newKey();
  const url = `http://127.0.0.1:${site.port}`;
  const answer = await api.send({ method: 'POST', url: `${SOURCES}/discover`, key, payload: { url } });
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual({
    items: [
      { type: 'rss', externalId: `${url}/a`, title: 'A' },
      { type: 'rss', externalId: `${url}/b`, title: null },
    ],
    nextCursor: null,
  });
  expect(await names(key)).toEqual([]);
});
