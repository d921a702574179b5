import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFeeds } from '../../../../test/feeds/reading.js';
import { newReadingApp } from '../../../../test/feeds/reading-app.js';
import type { Api } from '../../../../test/harness/api.js';
import { testDatabase } from '../../../../test/harness/database.js';
import { foundPost, postsOn } from '../../../../test/posts/made-posts.js';

const given = testDatabase();
let api: Api;
let made: ReturnType<typeof postsOn>;
beforeAll(async () => {
  api = await startFeeds(given.url);
  made = postsOn(given.database);
});
afterAll(async () => {
  await made.sanitiser.onApplicationShutdown();
  await api?.stop();
});

let posted = 0;
async function post(sourceId: string, count = 1) {
  const found = Array.from({ length: count }, () => {
    posted += 1;
    return foundPost(`post ${posted}`, { title: `Post ${posted}`, url: `https://example.org/${posted}` });
  });
  return (await made.save(sourceId, found, new Date())).added.map(Number);
}

async function app(posts = 3) {
  const reading = await newReadingApp(api);
  const source = await reading.reader.follow();
  return { ...reading, source, ids: await post(source, posts) };
}

const idsIn = (text: string) => text.split(',').filter(Boolean).map(Number);
const idsOf = (items: { id: number }[]) => items.map(({ id }) => id);

describe('a key', () => {
  it.each(['/fever/', '/fever', '/fever/fever.php', '/api/fever.php', '/api/fever.php/'])(
    'works at %s',
    async (path) => {
      const { fever } = await app(0);
      expect(await fever('', '', path)).toMatchObject({ status: 200, body: { api_version: 3, auth: 1 } });
    },
  );

  it('may have digits of any case, and be in the query', async () => {
    const { feverKey } = await app(0);
    const send = async (query: string) => (await api.send({ url: `/fever/?api&${query}` })).json();
    expect(await send(`api_key=${feverKey.toUpperCase()}`)).toMatchObject({ auth: 1 });
    expect(await send('api_key=wrong')).toEqual({ api_version: 3, auth: 0 });
    expect(await send('')).toEqual({ api_version: 3, auth: 0 });
  });

  it('ends with the app password', async () => {
    const { fever, reader } = await app(0);
    const [{ id }] = (await reader.send('GET', '/app-passwords')).json().items;
    await reader.send('DELETE', `/app-passwords/${id}`);
    expect((await fever('items')).body).toEqual({ api_version: 3, auth: 0 });
  });
});

describe('an answer', () => {
  it('has everything that was asked for at once', async () => {
    const { fever, reader, source, ids } = await app();
    await reader.send('PATCH', `/sources/${source}/follow`, { folder: 'News', title: 'Mine' });
    const other = await reader.follow();
    const query = 'groups&feeds&favicons&items&links&unread_item_ids&saved_item_ids';
    const { body } = await fever(query);
    const [all, news] = body.groups;
    expect([all.title, news.title]).toEqual(['All', 'News']);
    expect(body.feeds_groups).toEqual([
      { group_id: all.id, feed_ids: other },
      { group_id: news.id, feed_ids: source },
    ]);
    expect(body.feeds[0]).toMatchObject({ id: Number(source), title: 'Mine', is_spark: 0, favicon_id: 0 });
    expect(body).toMatchObject({ favicons: [], links: [], saved_item_ids: '', total_items: 3 });
    expect(idsIn(body.unread_item_ids).toSorted()).toEqual(ids);
    expect(idsOf(body.items)).toEqual(ids.toReversed());
    expect(body.items[0]).toMatchObject({
      feed_id: Number(source),
      title: expect.stringMatching(/^Post \d+$/),
      url: expect.stringMatching(/^https:\/\/example\.org\/\d+$/),
      html: expect.stringContaining('<p>'),
      author: 'Ann',
      is_saved: 0,
      is_read: 0,
      created_on_time: 1_767_225_600,
    });
    expect((await fever('unread_item_ids')).body.items).toBeUndefined();
  });

  it('has 50 items at a time, upwards from an id and downwards to one', async () => {
    const { fever, ids } = await app(120);
    const walk = async (next: (seen: number[]) => string) => {
      const seen: number[] = [];
      for (;;) {
        const { items } = (await fever(`items&${next(seen)}`)).body;
        if (!items.length) return seen;
        expect(items.length).toBeLessThanOrEqual(50);
        seen.push(...idsOf(items));
      }
    };
    expect(await walk((seen) => `since_id=${seen.at(-1) ?? 0}`)).toEqual(ids);
    expect(await walk((seen) => `max_id=${seen.at(-1) ?? 0}`)).toEqual(ids.toReversed());
    for (const any of ['9007199254740991', '2147483647'])
      expect(idsOf((await fever(`items&max_id=${any}`)).body.items)).toEqual(ids.toReversed().slice(0, 50));
    const wanted = ids.slice(0, 60).toReversed();
    expect(idsOf((await fever(`items&with_ids=${wanted.join(',')},x,0`)).body.items)).toEqual(wanted);
  });
});

describe('a mark', () => {
  it.each(['query', 'body'])('sets what it says and does not toggle, with parameters in the %s', async (where) => {
    const { fever, ids } = await app();
    const [id] = ids;
    const mark = (as: string) => {
      const parameters = `mark=item&as=${as}&id=${id}`;
      return where === 'query' ? fever(parameters) : fever('', parameters);
    };
    for (const _ of [1, 2]) expect((await mark('saved')).body.saved_item_ids).toBe(String(id));
    for (const _ of [1, 2]) expect(idsIn((await mark('read')).body.unread_item_ids)).not.toContain(id);
    expect((await fever(`items&with_ids=${id}`)).body.items[0]).toMatchObject({ is_saved: 1, is_read: 1 });
    for (const _ of [1, 2]) expect((await mark('unsaved')).body.saved_item_ids).toBe('');
    for (const _ of [1, 2]) expect(idsIn((await mark('unread')).body.unread_item_ids)).toContain(id);
  });

  it('of a feed, a group or everything covers what was found before a time', async () => {
    const { fever, reader, source, ids } = await app();
    await reader.send('PATCH', `/sources/${source}/follow`, { folder: 'News' });
    const [other = 0] = await post(await reader.follow());
    const unread = async () => idsIn((await fever('unread_item_ids')).body.unread_item_ids).toSorted();
    const news = (await fever('groups')).body.groups.find(({ title }: { title: string }) => title === 'News').id;
    await fever('', `mark=group&as=read&id=${news}&before=1000`);
    expect(await unread()).toEqual([...ids, other]);
    const soon = Math.ceil(Date.now() / 1_000) + 60;
    await fever('', `mark=group&as=read&id=${news}&before=${soon}`);
    expect(await unread()).toEqual([other]);
    const [later = 0] = await post(source);
    await fever('', `mark=feed&as=read&id=${source}&before=${soon}`);
    expect(await unread()).toEqual([other]);
    expect(later).toBeGreaterThan(other);
    await fever('', `mark=group&as=read&id=0&before=${soon}`);
    expect(await unread()).toEqual([]);
  });

  it('without a meaning changes nothing', async () => {
    const { fever, ids } = await app();
    for (const form of [
      'mark=item&as=loved&id=1',
      'mark=planet&as=read&id=1',
      'mark=feed&as=read&id=x',
      'mark=group&as=read&id=-1',
    ])
      expect((await fever('', form)).status).toBe(200);
    expect(idsIn((await fever('unread_item_ids')).body.unread_item_ids).toSorted()).toEqual(ids);
  });
});

it('lets nobody read, mark or save the items of others', async () => {
  const [{ ids, fever: own, source }, { fever: other }] = [await app(), await app(0)];
  const [id] = ids;
  const group = (await own('groups')).body.groups[0].id;
  expect((await other(`items&with_ids=${ids.join(',')}`)).body.items).toEqual([]);
  expect((await other('items&since_id=0')).body.items).toEqual([]);
  for (const as of ['read', 'unread', 'saved', 'unsaved']) await other('', `mark=item&as=${as}&id=${id}`);
  await other('', `mark=feed&as=read&id=${source}`);
  await other('', `mark=group&as=read&id=${group}`);
  const { body } = await own('unread_item_ids&saved_item_ids');
  expect(idsIn(body.unread_item_ids).toSorted()).toEqual(ids);
  expect(body.saved_item_ids).toBe('');
  expect((await other('saved_item_ids')).body.saved_item_ids).toBe('');
});
