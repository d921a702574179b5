import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFeeds } from '../../../../test/feeds/reading.js';
import { newReadingApp } from '../../../../test/feeds/reading-app.js';
import { png } from '../../../../test/fetching/made-images.js';
import type { Api } from '../../../../test/harness/api.js';
import { testDatabase } from '../../../../test/harness/database.js';
import { foundPost, postsOn } from '../../../../test/posts/made-posts.js';
import { siteIcons } from '../../../sources/site-icons.table.js';

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

const MINUTE_MS = 60_000;
const START = Date.parse('2026-01-01T00:00:00Z');
let posted = 0;
async function post(sourceId: string, count = 1) {
  const found = Array.from({ length: count }, () => {
    posted += 1;
    const publishedAt = new Date(START + posted * MINUTE_MS);
    const media = [{ url: `https://example.org/${posted}.mp3`, type: 'audio/mpeg' }];
    return foundPost(`post ${posted}`, {
      title: `Post ${posted}`,
      url: `https://example.org/${posted}`,
      publishedAt,
      media,
    });
  });
  return (await made.save(sourceId, found, new Date())).added.map(Number);
}

async function app(posts = 3) {
  const reading = await newReadingApp(api);
  const source = await reading.reader.follow();
  const { miniflux } = reading;
  return {
    ...reading,
    source,
    ids: await post(source, posts),
    async entryIds(query = '', base = 'entries') {
      const { status, body } = await miniflux('GET', `${base}?${query}`);
      expect([status, body.error_message]).toEqual([200, undefined]);
      return body.entries.map(({ id }: { id: number }) => id) as number[];
    },
  };
}

describe('a caller', () => {
  it('is known by a token or by user name and password, with every type of body', async () => {
    const { userName, password, userId, ids } = await app();
    const basic = `Basic ${Buffer.from(`${userName}:${password}`).toString('base64')}`;
    for (const headers of [{ 'x-auth-token': password }, { authorization: basic }]) {
      const me = await api.send({ url: '/v1/me', headers });
      expect(me.json()).toMatchObject({ id: Number(userId), username: userName, is_admin: false });
      for (const type of ['application/json', 'application/x-www-form-urlencoded', '']) {
        const payload = JSON.stringify({ entry_ids: ids, status: 'read' });
        const typed = { ...headers, ...(type && { 'content-type': type }) };
        const { statusCode, body } = await api.send({ method: 'PUT', url: '/v1/entries', headers: typed, payload });
        expect([statusCode, body]).toEqual([204, '']);
      }
    }
  });

  it('with a wrong password gets an error in the words of Miniflux', async () => {
    for (const headers of [{}, { 'x-auth-token': 'wrong' }]) {
      const refused = await api.send({ url: '/v1/me', headers });
      expect([refused.statusCode, refused.json()]).toEqual([401, { error_message: expect.any(String) }]);
    }
    const { miniflux } = await app(0);
    expect(await miniflux('GET', 'feeds/999999999')).toMatchObject({
      status: 404,
      body: { error_message: 'Resource Not Found' },
    });
  });

  it('may be a page of another origin', async () => {
    const { headers, status } = await (await app(0)).miniflux('OPTIONS', 'entries');
    expect(status).toBe(204);
    expect(headers['access-control-allow-headers']).toContain('X-Auth-Token');
  });

  it('finds a version, and no integrations', async () => {
    const { miniflux } = await app(0);
    expect((await miniflux('GET', 'version')).body.version).toMatch(/^2\.\d+\.\d+$/);
    expect((await miniflux('GET', 'integrations/status')).body).toEqual({ has_integrations: false });
  });
});

describe('feeds and categories', () => {
  it('are listed, each feed with a category and an icon', async () => {
    const { miniflux, reader, source, userId } = await app();
    const bare = await reader.follow();
    await reader.send('PATCH', `/sources/${source}/follow`, { folder: 'News', title: 'Mine' });
    const site = `icons-of-${source}.example`;
    const image = png(16, 16);
    const [icon] = await given.database.db
      .insert(siteIcons)
      .values({
        site,
        origin: `https://${site}`,
        token: site,
        bytes: image,
        mime: 'image/png',
        version: 'v',
        askAt: new Date(),
      })
      .returning();
    await given.database.pool.query('UPDATE sources SET icon_site = $1 WHERE id = $2', [site, source]);
    const iconId = Number(icon?.id);
    const categories = (await miniflux('GET', 'categories?counts=true')).body;
    expect(categories).toMatchObject([
      { title: 'All', user_id: Number(userId), feed_count: 1, total_unread: 0 },
      { title: 'News', feed_count: 1, total_unread: 3 },
    ]);
    const feeds = (await miniflux('GET', 'feeds')).body;
    expect(feeds).toMatchObject([
      {
        id: Number(source),
        title: 'Mine',
        category: { title: 'News' },
        icon: { feed_id: Number(source), icon_id: iconId },
      },
      { id: Number(bare), category: { title: 'All' }, icon: null },
    ]);
    const wanted = { id: iconId, mime_type: 'image/png', data: `image/png;base64,${image.toString('base64')}` };
    for (const path of [`icons/${iconId}`, `feeds/${source}/icon`])
      expect((await miniflux('GET', path)).body).toEqual(wanted);
    expect((await (await app(0)).miniflux('GET', `icons/${iconId}`)).status).toBe(404);
    expect((await miniflux('GET', `feeds/${bare}/icon`)).status).toBe(404);
    expect((await miniflux('GET', `categories/${categories[1].id}/feeds`)).body).toHaveLength(1);
    expect((await miniflux('GET', 'feeds/counters')).body).toEqual({ reads: {}, unreads: { [source]: 3 } });
  });

  it('can be created, renamed, used and removed; feeds stay', async () => {
    const { miniflux, source } = await app();
    const created = await miniflux('POST', 'categories', { title: 'News', hide_globally: false });
    expect(created).toMatchObject({ status: 201, body: { title: 'News' } });
    const { id } = created.body;
    expect((await miniflux('POST', 'categories', { title: 'News' })).status).toBe(400);
    const titles = async () => (await miniflux('GET', 'categories')).body.map(({ title }: { title: string }) => title);
    expect(await titles()).toEqual(['All', 'News']);
    const moved = await miniflux('PUT', `feeds/${source}`, { category_id: id, title: 'Mine', crawler: true });
    expect(moved).toMatchObject({ status: 201, body: { title: 'Mine', category: { id } } });
    const renamed = await miniflux('PUT', `categories/${id}`, { title: 'Papers' });
    expect(renamed).toMatchObject({ status: 201, body: { id, title: 'Papers' } });
    expect((await miniflux('GET', `feeds/${source}`)).body.category).toMatchObject({ id, title: 'Papers' });
    expect((await miniflux('DELETE', `categories/${id}`)).status).toBe(204);
    expect((await miniflux('GET', `feeds/${source}`)).body.category.title).toBe('All');
    expect(await titles()).toEqual(['All']);
    expect((await miniflux('DELETE', `feeds/${source}`)).status).toBe(204);
    expect((await miniflux('GET', 'feeds')).body).toEqual([]);
  });

  it('are exported and imported as OPML', async () => {
    const { password, source, reader, miniflux } = await app(0);
    await reader.send('PATCH', `/sources/${source}/follow`, { folder: 'News' });
    const headers = { 'x-auth-token': password };
    const { body: opml } = await api.send({ url: '/v1/export', headers });
    const other = await newReadingApp(api);
    const into = {
      method: 'POST',
      url: '/v1/import',
      headers: { 'x-auth-token': other.password },
      payload: opml,
    } as const;
    expect((await api.send(into)).statusCode).toBe(201);
    const [feed] = (await other.miniflux('GET', 'feeds')).body;
    const [own] = (await miniflux('GET', 'feeds')).body;
    expect(feed).toMatchObject({ feed_url: own.feed_url, category: { title: 'News' } });
  });
});

describe('entries', () => {
  it('have what clients read', async () => {
    const { miniflux, ids, source, userId } = await app(1);
    const { body } = await miniflux('GET', 'entries');
    expect(body).toMatchObject({
      total: 1,
      entries: [
        {
          id: ids[0],
          user_id: Number(userId),
          feed_id: Number(source),
          status: 'unread',
          starred: false,
          title: `Post ${posted}`,
          url: `https://example.org/${posted}`,
          author: 'Ann',
          published_at: new Date(START + posted * MINUTE_MS).toISOString(),
          feed: { id: Number(source), category: { title: 'All' } },
          enclosures: [{ entry_id: ids[0], url: `https://example.org/${posted}.mp3`, mime_type: 'audio/mpeg' }],
          tags: [],
        },
      ],
    });
    expect((await miniflux('GET', `entries/${ids[0]}`)).body).toEqual(body.entries[0]);
    expect((await miniflux('GET', `feeds/${source}/entries/${ids[0]}`)).body).toEqual(body.entries[0]);
    const [enclosure] = body.entries[0].enclosures;
    expect((await miniflux('GET', `enclosures/${enclosure.id}`)).body).toEqual(enclosure);
    expect((await miniflux('PUT', `enclosures/${enclosure.id}`, { media_progression: 7 })).status).toBe(204);
    expect((await miniflux('GET', `entries/${ids[0]}/fetch-content`)).body.content).toBe(body.entries[0].content);
  });

  it('are filtered, ordered and paged', async () => {
    const { entryIds, miniflux, ids, source, reader } = await app(6);
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = ids;
    await miniflux('PUT', 'entries', { entry_ids: [b, d], status: 'read' });
    await miniflux('PUT', 'entries', { entry_ids: [c], starred: true });
    const other = await reader.follow();
    await reader.send('PATCH', `/sources/${other}/follow`, { folder: 'News' });
    const [g = 0] = await post(other);
    const news = (await miniflux('GET', 'categories')).body[1].id;
    const at = (id: number) => (START + (posted - 7 + [...ids, g].indexOf(id) + 1) * MINUTE_MS) / 1_000;
    const cases: [string, number[]][] = [
      ['', [a, b, c, d, e, f, g]],
      ['direction=desc', [g, f, e, d, c, b, a]],
      ['status=unread', [a, c, e, f, g]],
      ['status=read', [b, d]],
      ['status=read&status=unread', [a, b, c, d, e, f, g]],
      ['status=removed', []],
      ['starred=true', [c]],
      ['starred=1', [c]],
      ['starred=false&status=unread', [a, e, f, g]],
      [`category_id=${news}`, [g]],
      [`feed_id=${source}&status=read`, [b, d]],
      [`after_entry_id=${e}`, [f, g]],
      [`before_entry_id=${c}&order=id&direction=desc`, [b, a]],
      ['limit=2&offset=1', [b, c]],
      ['order=id&direction=desc&limit=2', [g, f]],
      [`published_after=${at(f)}`, [f, g]],
      [`before=${at(b)}`, [a]],
      ['changed_after=1', [a, b, c, d, e, f, g]],
      [`changed_after=${Math.ceil(Date.now() / 1_000) + 600}`, []],
    ];
    for (const [query, wanted] of cases) expect([query, await entryIds(query)]).toEqual([query, wanted]);
    expect(await entryIds('', `feeds/${source}/entries`)).toEqual(ids);
    expect(await entryIds('', `categories/${news}/entries`)).toEqual([g]);
    expect((await miniflux('GET', 'entries?limit=2')).body.total).toBe(7);
    expect((await miniflux('GET', 'entries?limit=2&status=unread')).body.total).toBe(5);
    expect((await miniflux('GET', 'entries/ids?status=read')).body).toEqual({ total: 2, entry_ids: [b, d] });
    for (const query of ['order=colour', 'status=lost', 'direction=up', 'limit=x', 'feed_id=1', 'category_id=99999999'])
      expect((await miniflux('GET', `entries?${query}`)).status).toBe(400);
  });

  it('are marked and starred, one by one or all', async () => {
    const { entryIds, miniflux, ids, source, userId } = await app();
    const [a = 0, b = 0, c = 0] = ids;
    expect(await miniflux('PUT', 'entries', { entry_ids: [a], status: 'read' })).toMatchObject({ status: 204 });
    expect(await entryIds('status=unread')).toEqual([b, c]);
    await miniflux('PUT', 'entries', { entry_ids: [a], status: 'unread' });
    for (const wanted of [[b], []]) {
      expect((await miniflux('PUT', `entries/${b}/bookmark`)).status).toBe(204);
      expect(await entryIds('starred=true')).toEqual(wanted);
    }
    const readAll = async (path: string) => {
      await miniflux('PUT', 'entries', { entry_ids: ids, status: 'unread' });
      expect((await miniflux('PUT', path)).status).toBe(204);
      expect(await entryIds('status=unread')).toEqual([]);
    };
    await readAll(`feeds/${source}/mark-all-as-read`);
    await readAll(`categories/${(await miniflux('GET', 'categories')).body[0].id}/mark-all-as-read`);
    await readAll(`users/${userId}/mark-all-as-read`);
    expect((await miniflux('POST', `entries/${a}/save`)).status).toBe(400);
    for (const body of [{ entry_ids: [a] }, { entry_ids: [], status: 'read' }, { entry_ids: [a], status: 'lost' }])
      expect((await miniflux('PUT', 'entries', body)).status).toBe(400);
  });
});

describe('nobody else', () => {
  it.each<
    [
      string,
      (own: Awaited<ReturnType<typeof app>> & { category: number }) => ['GET' | 'PUT' | 'DELETE', string, object?],
    ]
  >([
    ['read an entry', ({ ids }) => ['GET', `entries/${ids[0]}`]],
    ['read its content', ({ ids }) => ['GET', `entries/${ids[0]}/fetch-content`]],
    ['mark entries', ({ ids }) => ['PUT', 'entries', { entry_ids: ids, status: 'read' }]],
    ['star entries', ({ ids }) => ['PUT', 'entries', { entry_ids: ids, starred: true }]],
    ['bookmark an entry', ({ ids }) => ['PUT', `entries/${ids[0]}/bookmark`]],
    ['star an entry', ({ ids }) => ['PUT', `entries/${ids[0]}/star`]],
    ['read a feed', ({ source }) => ['GET', `feeds/${source}`]],
    ['list the entries of a feed', ({ source }) => ['GET', `feeds/${source}/entries`]],
    ['mark a feed', ({ source }) => ['PUT', `feeds/${source}/mark-all-as-read`]],
    ['change a feed', ({ source }) => ['PUT', `feeds/${source}`, { title: 'Stolen' }]],
    ['refresh a feed', ({ source }) => ['PUT', `feeds/${source}/refresh`]],
    ['remove a feed', ({ source }) => ['DELETE', `feeds/${source}`]],
    ['list the feeds of a category', ({ category }) => ['GET', `categories/${category}/feeds`]],
    ['list the entries of a category', ({ category }) => ['GET', `categories/${category}/entries`]],
    ['mark a category', ({ category }) => ['PUT', `categories/${category}/mark-all-as-read`]],
    ['rename a category', ({ category }) => ['PUT', `categories/${category}`, { title: 'Stolen' }]],
    ['remove a category', ({ category }) => ['DELETE', `categories/${category}`]],
    ['mark everything of a user', ({ userId }) => ['PUT', `users/${userId}/mark-all-as-read`]],
    ['read an enclosure', ({ ids }) => ['GET', `enclosures/${(ids[0] ?? 0) * 16}`]],
  ])('may %s', async (_, request) => {
    const [own, other] = [await app(), await app(0)];
    await own.miniflux('PUT', `feeds/${own.source}`, {
      category_id: (await own.miniflux('POST', 'categories', { title: 'Own' })).body.id,
    });
    const before = await Promise.all(['entries', 'feeds', 'categories'].map((path) => own.miniflux('GET', path)));
    const category = before[2]?.body[1].id;
    const { status, body } = await other.miniflux(...request({ ...own, category }));
    // Ids that mean nothing to the caller are ignored in lists.
    expect(status === 204 ? request({ ...own, category })[1] : 'entries').toBe('entries');
    expect([204, 400, 404]).toContain(status);
    expect(JSON.stringify(body ?? '')).not.toContain('Post ');
    const after = await Promise.all(['entries', 'feeds', 'categories'].map((path) => own.miniflux('GET', path)));
    expect(after.map((answer) => answer.body)).toEqual(before.map((answer) => answer.body));
    expect(await other.entryIds()).toEqual([]);
  });
});
