import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GoogleReaderClient } from '../../../../test/feeds/google-reader-client.js';
import { startFeeds } from '../../../../test/feeds/reading.js';
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

const STATE = 'user/-/state/com.google/';
const hex = (id: string) => BigInt(id).toString(16);
const long = (id: string) => `tag:google.com,2005:reader/item/${hex(id).padStart(16, '0')}`;
let posted = 0;

async function post(sourceId: string, count = 1, foundAt = new Date()): Promise<string[]> {
  posted += 1;
  const found = Array.from({ length: count }, (_, at) =>
    foundPost(`post ${posted} ${at}`, { title: `Post ${at}`, url: `https://example.org/${posted}/${at}` }),
  );
  return (await made.save(sourceId, found, foundAt)).added;
}

async function client(posts = 3) {
  const app = await GoogleReaderClient.signedIn(api);
  const source = await app.reader.follow();
  const ids = await post(source, posts);
  return { app, source, ids };
}

describe('a login', () => {
  const logIn = (query: string, base = '') => api.send({ url: `${base}/accounts/ClientLogin?${query}` });

  it.each(['', '/api/greader.php'])(
    'answers at "%s" with lines that have one equals sign each, or with JSON',
    async (base) => {
      const { userName, password } = await GoogleReaderClient.signedIn(api, base);
      const fields = `Email=${userName}&Passwd=${password}`;
      const { body } = await logIn(fields, base);
      expect(
        body
          .trim()
          .split('\n')
          .map((line) => line.split('=')),
      ).toEqual([
        ['SID', password],
        ['LSID', password],
        ['Auth', password],
      ]);
      expect((await logIn(`${fields}&output=json`, base)).json()).toMatchObject({ Auth: password });
    },
  );

  it('is refused with a wrong password, in words that clients know', async () => {
    const { userName } = await GoogleReaderClient.signedIn(api);
    const refused = await logIn(`Email=${userName}&Passwd=wrong`);
    expect([refused.statusCode, refused.body]).toEqual([401, 'Error=BadAuthentication\n']);
    expect((await logIn('')).statusCode).toBe(401);
  });

  it('encodes a key that has an equals sign', async () => {
    const adminKey = 'configured=key with spaces';
    const other = await startFeeds(given.url, { adminKey });
    try {
      const query = new URLSearchParams({ Email: 'admin', Passwd: adminKey });
      const { body } = await other.send({ url: `/accounts/ClientLogin?${query}` });
      const token = /^Auth=([^=\s]+)$/m.exec(body)?.[1];
      const authorization = `GoogleLogin auth=${token}`;
      expect((await other.send({ url: '/reader/api/0/user-info', headers: { authorization } })).statusCode).toBe(200);
    } finally {
      await other.stop();
    }
  });

  it('is needed for everything else', async () => {
    for (const path of ['token', 'user-info', 'subscription/list', 'stream/items/ids', 'unread-count']) {
      const refused = await api.send({
        url: `/reader/api/0/${path}`,
        headers: { authorization: 'GoogleLogin auth=x' },
      });
      expect([refused.statusCode, refused.headers['x-reader-google-bad-token']]).toEqual([401, 'true']);
    }
  });
});

it('says who the user is, in text, and has a token without line break', async () => {
  const { app } = await client();
  const info = (await app.get('api/0/user-info')).json();
  expect(info).toMatchObject({ userName: app.userName, userId: info.userProfileId });
  expect(Object.values(info).every((value) => typeof value === 'string')).toBe(true);
  expect((await app.get('api/0/token')).body).toMatch(/^\w{57}$/);
});

describe('subscriptions', () => {
  const list = async (app: GoogleReaderClient) =>
    (await app.get('api/0/subscription/list?output=json')).json().subscriptions;

  it('are followed, named, put under a label, taken from it and unfollowed', async () => {
    const app = await GoogleReaderClient.signedIn(api);
    const address = `urn:millrace:source:rss:${encodeURIComponent('https://example.org/subscribed')}`;
    const edit = (form: Record<string, string>) => app.post('api/0/subscription/edit', form);
    expect((await edit({ ac: 'subscribe', s: `feed/${address}`, t: 'Mill', a: 'user/-/label/news/local' })).body).toBe(
      'OK',
    );
    const [subscription] = await list(app);
    expect(subscription).toMatchObject({
      id: expect.stringMatching(/^feed\/\d+$/),
      title: 'Mill',
      categories: [{ id: 'user/-/label/news/local', label: 'news/local' }],
      url: 'https://example.org/subscribed',
    });
    const s = subscription.id;
    await edit({ ac: 'edit', s, t: 'Watermill', r: 'user/-/label/other' });
    expect(await list(app)).toMatchObject([{ title: 'Watermill', categories: [{ label: 'news/local' }] }]);
    await app.post('api/0/rename-tag', { s: 'user/-/label/news', dest: 'user/-/label/press' });
    expect(await list(app)).toMatchObject([{ categories: [{ label: 'press/local' }] }]);
    expect((await app.get('api/0/tag/list')).json().tags).toEqual([
      { id: `${STATE}starred` },
      { id: 'user/-/label/press/local', type: 'folder' },
    ]);
    await app.post('api/0/disable-tag', { s: 'user/-/label/press/local' });
    expect(await list(app)).toMatchObject([{ categories: [] }]);
    await app.post(`api/0/subscription/edit?ac=edit&s=${s}&a=user/-/label/query`, {}, '');
    expect(await list(app)).toMatchObject([{ categories: [{ label: 'query' }] }]);
    await edit({ ac: 'edit', s, r: 'user/-/label/query' });
    expect(await list(app)).toMatchObject([{ categories: [] }]);
    await edit({ ac: 'unsubscribe', s });
    expect(await list(app)).toEqual([]);
    expect((await edit({ ac: 'unsubscribe', s })).body).toBe('OK');
    expect((await edit({ ac: 'edit', s, t: 'x' })).statusCode).toBe(404);
  });

  it('come as OPML and go as OPML, whatever type the client says', async () => {
    const { app, source } = await client();
    const other = await GoogleReaderClient.signedIn(api);
    const { body } = await app.get('subscriptions/export');
    const imported = await api.send({
      method: 'POST',
      url: '/api/greader.php/reader/api/0/subscription/import',
      headers: { ...other.headers, 'content-type': 'text/plain' },
      payload: body,
    });
    expect([imported.statusCode, imported.body]).toEqual([200, 'OK: 1']);
    expect(await list(other)).toMatchObject([{ id: `feed/${source}` }]);
  });

  it('are answered with 304 while nothing has changed', async () => {
    const { app } = await client();
    for (const path of [
      'api/0/subscription/list',
      'api/0/unread-count',
      'api/0/stream/items/ids?n=9',
      'api/0/tag/list',
    ]) {
      await expect
        .poll(async () => {
          const { etag = '' } = (await app.get(path)).headers;
          return (await app.get(path, { 'if-none-match': String(etag) })).statusCode;
        })
        .toBe(304);
    }
  });
});

describe('streams', () => {
  it('give ids as decimal text, and the same items by every form of an id', async () => {
    const { app, ids } = await client();
    expect(await app.ids()).toEqual(ids.toReversed());
    for (const form of [long, hex, (id: string) => id, (id: string) => hex(id).padStart(16, '0')]) {
      const spelled = ids.map((id) => (form === hex ? `tag:google.com,2005:reader/item/${hex(id)}` : form(id)));
      const posted = await app.post(
        'api/0/stream/items/contents',
        spelled.map((id): [string, string] => ['i', id]),
      );
      expect(
        posted
          .json()
          .items.map(({ id }: { id: string }) => id)
          .toSorted(),
      ).toEqual(ids.map(long).toSorted());
      const query = new URLSearchParams(spelled.map((id): [string, string] => ['i', id]));
      expect(await app.items(`api/0/stream/items/contents?${query}`)).toHaveLength(ids.length);
    }
    expect((await app.post('api/0/stream/items/contents', { i: '-1' })).json()).toMatchObject({ items: [] });
  });

  it('have what the clients read in each item', async () => {
    const { app, source, ids } = await client(1);
    await app.reader.send('PATCH', `/sources/${source}/follow`, { folder: 'news', title: 'Mine' });
    const [item] = await app.items(`api/0/stream/contents/feed%2F${source}?n=5`);
    expect(item).toMatchObject({
      id: long(ids[0] ?? ''),
      title: 'Post 0',
      published: Date.parse('2026-01-01T00:00:00Z') / 1_000,
      timestampUsec: expect.stringMatching(/^\d{16}$/),
      crawlTimeMsec: expect.stringMatching(/^\d{13}$/),
      categories: [`${STATE}reading-list`, 'user/-/label/news'],
      origin: { streamId: `feed/${source}`, title: 'Mine' },
    });
    expect(Object.keys(item?.summary ?? {})[0]).toBe('content');
    expect(item?.canonical[0]?.href).toBe(item?.alternate[0]?.href);
    expect(await app.items(`api/0/stream/contents/feed/${source}`)).toEqual([item]);
    expect(await app.items(`api/0/stream/contents?s=feed/${source}`)).toEqual([item]);
    expect(await app.items('api/0/stream/contents/user/-/label/news')).toEqual([item]);
    expect(await app.items('api/0/stream/contents')).toEqual([item]);
  });

  it('continue where a page ended while posts arrive, and have no continuation on the last page', async () => {
    const { app, source, ids } = await client(10);
    const seen: string[] = [];
    for (let c = ''; ; ) {
      const { items, continuation } = (await app.get(`api/0/stream/contents?n=4&c=${c}`)).json();
      seen.push(...items.map(({ id }: { id: string }) => id));
      await post(source);
      if (continuation === undefined) break;
      c = continuation;
    }
    expect(seen).toEqual(ids.toReversed().map(long));
    expect((await app.get('api/0/stream/contents?c=nonsense')).statusCode).toBe(400);
  });

  it('go from the oldest to the newest, and from a time on', async () => {
    const { app, source, ids } = await client(2);
    const [late = ''] = await post(source, 1, new Date(Date.now() + 60_000));
    expect(await app.ids('r=o')).toEqual([...ids, late]);
    const ot = Math.floor(Date.now() / 1_000) + 30;
    expect(await app.ids(`ot=${ot}`)).toEqual([late]);
    expect(await app.ids(`nt=${ot}`)).toEqual(ids.toReversed());
  });

  it('come as Atom with the labels that newsboat reads', async () => {
    const { app, source, ids } = await client(2);
    await app.edit([ids[0] ?? ''], { a: `${STATE}read` });
    const { body, headers } = await app.get(`atom/feed/${source}?n=10`);
    expect(headers['content-type']).toContain('application/atom+xml');
    expect(body).toContain(`<id>${long(ids[0] ?? '')}</id>`);
    expect(body.match(/label="(read|fresh)"/g)).toEqual(['label="fresh"', 'label="read"']);
    expect(body).toContain('scheme="http://www.google.com/reader/"');
  });
});

describe('marks', () => {
  it.each([
    ['read', { a: `${STATE}read` }, 'read'],
    [
      'read, as newsboat says it',
      { a: 'user/-/state/com.google/read', r: 'user/-/state/com.google/kept-unread' },
      'read',
    ],
    [
      'read, with an id of the user',
      { a: 'user/1005921515/state/com.google/read', async: 'true', ac: 'edit-tags' },
      'read',
    ],
    ['unread', { r: `${STATE}read` }, 'unread'],
    ['unread, as newsboat says it', { r: `${STATE}read`, a: `${STATE}kept-unread` }, 'unread'],
    ['starred', { a: `${STATE}starred` }, 'starred'],
    ['not starred', { r: `${STATE}starred` }, 'not starred'],
    ['nothing that we know', { a: `${STATE}broadcast`, r: 'user/-/label/x' }, 'nothing'],
  ])('are set: %s', async (_, form, effect) => {
    const { app, ids } = await client(2);
    const [one = ''] = ids;
    if (effect === 'unread') await app.edit([one], { a: `${STATE}read` });
    if (effect === 'not starred') await app.edit([one], { a: `${STATE}starred` });
    expect((await app.edit([long(one)], form)).body).toBe('OK');
    expect((await app.unread()).includes(one)).toBe(effect !== 'read');
    expect(await app.starred()).toEqual(effect === 'starred' ? [one] : []);
    const [item] = await app.items(`api/0/stream/items/contents?i=${one}`);
    expect(item?.categories.includes(`${STATE}read`)).toBe(effect === 'read');
  });

  it('are set for all items of a stream that were found up to a time, and for no later ones', async () => {
    const { app, source } = await client(2);
    const other = await app.reader.follow();
    const kept = await post(other, 1);
    const [late = ''] = await post(source, 1, new Date(Date.now() + 60_000));
    const ts = String((Date.now() + 30_000) * 1_000);
    expect((await app.post('api/0/mark-all-as-read', { s: `feed/${source}`, ts })).body).toBe('OK');
    expect((await app.unread()).toSorted()).toEqual([...kept, late].toSorted());
    const counts = (await app.get('api/0/unread-count?output=json')).json();
    expect(counts).toMatchObject({ max: 2 });
    expect(counts.unreadcounts).toEqual(
      expect.arrayContaining([
        { id: `feed/${source}`, count: 1, newestItemTimestampUsec: expect.stringMatching(/^\d{16}$/) },
        { id: `${STATE}reading-list`, count: 2, newestItemTimestampUsec: expect.stringMatching(/^\d{16}$/) },
      ]),
    );
    await app.post('api/0/mark-all-as-read', { s: `${STATE}reading-list` });
    expect(await app.unread()).toEqual([]);
  });

  it('leave a source alone that was followed after the time', async () => {
    const { source } = await client(2);
    const app = await GoogleReaderClient.signedIn(api);
    const { rows } = await given.database.pool.query('SELECT external_id FROM sources WHERE id = $1', [source]);
    await app.reader.follow(rows[0].external_id);
    const ts = String(Math.floor(Date.now() / 1_000) - 60);
    await app.post('api/0/mark-all-as-read', { s: `${STATE}reading-list`, ts });
    expect(await app.unread()).toHaveLength(2);
  });
});

describe("another user's items", () => {
  const spellings: [string, (id: string) => string][] = [
    ['long', long],
    ['long without zeros', (id) => `tag:google.com,2005:reader/item/${hex(id)}`],
    ['16 digits', (id) => hex(id).padStart(16, '0')],
    ['decimal', (id) => id],
  ];
  it.each(spellings)('cannot be read, marked or starred by a %s id', async (_, spelled) => {
    const [{ app, ids, source }, { app: other }] = [await client(), await client()];
    const [id = ''] = ids;
    for (const state of ['read', 'starred'])
      expect((await other.edit([spelled(id)], { a: STATE + state })).body).toBe('OK');
    expect(await other.items(`api/0/stream/items/contents?i=${encodeURIComponent(spelled(id))}`)).toEqual([]);
    expect(await other.ids(`s=feed/${source}`)).toEqual([]);
    expect(await other.items(`api/0/stream/contents/feed/${source}`)).toEqual([]);
    await other.post('api/0/mark-all-as-read', { s: `feed/${source}` });
    expect(await other.starred()).toEqual([]);
    expect(await app.unread()).toEqual(ids.toReversed());
  });
});
