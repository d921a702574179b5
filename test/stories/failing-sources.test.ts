import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { QUEUE_BACKEND, type QueueBackend } from '../../src/platform/jobs/queue-backend.js';
import { testDatabase } from '../harness/database.js';
import { FeedSite, renderFeed } from '../harness/feed-site.js';
import { type Reader, startReader } from '../harness/reader.js';

/** Long enough for three attempts, 5 s and 10 s apart. */
const WAIT_OPTIONS = { timeout: 30_000, interval: 50 };
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const server = testDatabase();
// All sites are on one host here: what one of them asks for would hold for the next test.
beforeEach(() => server.database.pool.query('DELETE FROM host_backoffs; DELETE FROM host_limits'));

const item = (xml: string) =>
  `<rss version="2.0"><channel><title>T</title><link>https://site.example</link>${xml}</channel></rss>`;
const answer =
  (body: string | Buffer, headers: Record<string, string> = {}) =>
  (_: unknown, response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'application/rss+xml', ...headers }).end(body);
const status =
  (code: number, headers: Record<string, string> = {}) =>
  (_: unknown, response: ServerResponse) =>
    void response.writeHead(code, headers).end('no');

let users = 0;

/** Follows a feed that answers so, and waits until it was fetched. */
async function fetched(reader: Reader, site: FeedSite, respond: Parameters<FeedSite['on']>[1]) {
  users += 1;
  const path = `/feed-${users}`;
  site.on(path, respond);
  const user = reader.as(`user-${users}`);
  const { id } = await user.follow(site.url(path));
  await vi.waitFor(async () => expect((await user.source(id)).lastFetchAt).not.toBeNull(), WAIT_OPTIONS);
  return { user, id, path, source: await user.source(id) };
}

it.each<[string, Parameters<FeedSite['on']>[1]]>([
  ['a connection that is reset', (request) => void request.socket.destroy()],
  ['a 502', status(502)],
])(
  'one failure that passes, %s at the first fetch, costs seconds',
  async (_what, fail) => {
    const reader = await startReader(server.url);
    const site = await FeedSite.start();
    site.publish('/new', { guid: 'a', title: 'Hello' });
    site.on('/new', (request, response) => {
      site.repair('/new');
      fail(request, response);
    });
    users += 1;
    const user = reader.as(`user-${users}`);
    const { id } = await user.follow(site.url('/new'));
    await vi.waitFor(async () => expect(await user.titles()).toEqual(['Hello']), WAIT_OPTIONS);
    expect(site.requests('/new')).toHaveLength(2);
    expect(await user.source(id)).toMatchObject({ lastError: null, consecutiveFailures: 0 });
    const { body } = await user.send('GET', '/dead-letters');
    expect(body.items ?? []).toEqual([]);
  },
  60_000,
);

describe('a feed that is not as it should be', () => {
  it.each<[string, Parameters<FeedSite['on']>[1], RegExp]>([
    ['an HTML page', answer('<!doctype html><html><body>Hello', { 'content-type': 'text/html' }), /HTML page/],
    ['empty', answer(''), /empty/],
    ['404', status(404), /404/],
    ['500', status(500), /500/],
    ['304 without having been asked', status(304), /304/],
    [
      'a redirect to itself',
      (request, response) => void response.writeHead(302, { location: request.url }).end(),
      /redirects/,
    ],
    ['a body that never ends', endless, /./],
  ])(
    '%s: its followers are notified, and it is tried again',
    async (_what, respond, why) => {
      const reader = await startReader(server.url, { policy: 'tiers' });
      const site = await FeedSite.start();
      const { source, path, user, id } = await fetched(reader, site, respond);
      expect(source.lastError).toMatch(why);
      expect(source).toMatchObject({ state: 'active', consecutiveFailures: 1, lastSuccessAt: null });
      expect(Date.parse(source.nextFetchAt)).toBeGreaterThan(Date.parse(source.lastFetchAt));

      site.on(path, answer(renderFeed('ok', [{ guid: 'a', title: 'Well again' }])));
      reader.clock.advance(DAY_MS);
      await vi.waitFor(async () => expect(await user.titles()).toEqual(['Well again']), WAIT_OPTIONS);
      expect(await user.source(id)).toMatchObject({ lastError: null, consecutiveFailures: 0 });
    },
    60_000,
  );

  it.each<[string, Parameters<FeedSite['on']>[1], string[]]>([
    [
      'truncated',
      answer(
        renderFeed('t', [
          { guid: 'a', title: 'Whole' },
          { guid: 'b', title: 'Cut' },
        ]).slice(0, -60),
      ),
      ['Whole', 'Cut'],
    ],
    [
      'in a charset that it denies',
      answer(Buffer.from(item('<item><guid>x</guid><title>Caf\u00e9</title></item>'), 'latin1'), {
        'content-type': 'text/xml; charset=utf-8',
      }),
      ['Café'],
    ],
    [
      'with the same id twice',
      answer(
        item(
          '<item><guid>x</guid><title>One</title><link>https://a.example/1</link></item><item><guid>x</guid><title>One</title><link>https://a.example/1</link></item>',
        ),
      ),
      ['One'],
    ],
    ['with items that have nothing', answer(item('<item></item><item><title>Something</title></item>')), ['Something']],
    [
      'with scripts',
      answer(
        item(
          '<item><guid>x</guid><title>S</title><description>&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;text</description></item>',
        ),
      ),
      ['S'],
    ],
  ])('%s: what can be read is shown', async (_what, respond, titles) => {
    const reader = await startReader(server.url, { policy: 'tiers' });
    const site = await FeedSite.start();
    const { user, source } = await fetched(reader, site, respond);
    expect(source).toMatchObject({ state: 'active', lastError: null });
    expect((await user.titles()).toSorted()).toEqual(titles.toSorted());
    const { body } = await user.send('GET', '/feed');
    expect(JSON.stringify(body)).not.toMatch(/<script|onerror|alert\(/i);
  });

  it('with dates in 1970, in the future and unreadable: the posts stay in the order of the feed', async () => {
    const reader = await startReader(server.url, { policy: 'tiers' });
    const site = await FeedSite.start();
    const dates = ['Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 01 Jan 2100 00:00:00 GMT', 'the day before yesterday'];
    const items = dates.map(
      (date, at) => `<item><guid>${at}</guid><title>${at}</title><pubDate>${date}</pubDate></item>`,
    );
    const { user } = await fetched(reader, site, answer(item(items.join(''))));
    expect(await user.titles()).toEqual(['0', '1', '2']);
    const { body } = await user.send('GET', '/feed');
    for (const { publishedAt } of body.items) {
      expect(Math.abs(Date.parse(publishedAt) - reader.clock.now().getTime())).toBeLessThan(60_000);
    }
  });

  it('with an entity bomb: nothing is blown up', async () => {
    const reader = await startReader(server.url, { policy: 'tiers' });
    const site = await FeedSite.start();
    const { user } = await fetched(reader, site, answer(entityBomb()));
    const { body } = await user.send('GET', '/feed');
    expect(JSON.stringify(body).length).toBeLessThan(10_000);
  });

  it('with 100,000 items: the newest are taken and the worker lives', async () => {
    const reader = await startReader(server.url, { policy: 'tiers' });
    const site = await FeedSite.start();
    const many = Array.from({ length: 100_000 }, (_, at) => `<item><guid>g${at}</guid><title>t${at}</title></item>`);
    const { source, user } = await fetched(reader, site, answer(item(many.join(''))));
    expect(source.lastError).toBeNull();
    expect((await user.titles()).slice(0, 2)).toEqual(['t0', 't1']);
  }, 60_000);
});

describe('a source that asks for patience', () => {
  it('is left alone as long as it says', async () => {
    const reader = await startReader(server.url, { policy: 'tiers' });
    const site = await FeedSite.start();
    const { source, path } = await fetched(reader, site, status(429, { 'retry-after': '40000' }));
    expect(source.lastError).toMatch(/429/);
    const waits = Date.parse(source.nextFetchAt) - Date.parse(source.lastFetchAt);
    expect(waits).toBeGreaterThan(39_000_000);
    expect(waits).toBeLessThan(45_000_000);
    expect(site.requests(path)).toHaveLength(1);
  });

  it('is not asked again at once because it says 0', async () => {
    const reader = await startReader(server.url, { policy: 'tiers' });
    const site = await FeedSite.start();
    const { source } = await fetched(reader, site, status(429, { 'retry-after': '0' }));
    expect(Date.parse(source.nextFetchAt) - Date.parse(source.lastFetchAt)).toBeGreaterThanOrEqual(2 * MINUTE_MS);
  });

  it('is not asked more often than it says, whatever its followers do', async () => {
    const reader = await startReader(server.url, { policy: 'tiers' });
    const site = await FeedSite.start();
    const respond = answer(renderFeed('t', [{ guid: 'a', title: 'A' }]), { 'cache-control': 'max-age=14400' });
    const { id, user, path } = await fetched(reader, site, respond);
    const { body } = await user.send('GET', `/sources/${id}/schedule`);
    expect(body).toMatchObject({ policy: 'tiers', intervalSeconds: 14_400, terms: { clamp: 'source' } });
    reader.clock.advance(HOUR_MS);
    expect((await user.send('POST', '/feed/refresh')).body).toEqual({ requested: 0 });
    expect(site.requests(path)).toHaveLength(1);
  });
});

describe('a source that is lost', () => {
  it('says that it is gone and is not asked any more, until somebody wants it', async () => {
    const reader = await startReader(server.url, { policy: 'tiers' });
    const site = await FeedSite.start();
    const { source, user, id, path } = await fetched(reader, site, status(410));
    expect(source).toMatchObject({ state: 'gone', nextFetchAt: null });
    site.on(path, answer(renderFeed('t', [{ guid: 'a', title: 'Back' }])));
    reader.clock.advance(HOUR_MS);
    expect((await user.send('POST', '/feed/refresh')).body).toEqual({ requested: 1 });
    await vi.waitFor(
      async () => expect(await user.source(id)).toMatchObject({ state: 'active', lastError: null }),
      WAIT_OPTIONS,
    );
  });

  it('is called failing after a week, is still tried, and returns by itself', async () => {
    const reader = await startReader(server.url, { policy: 'tiers' });
    const site = await FeedSite.start();
    const { user, id, path } = await fetched(reader, site, status(404));
    for (let day = 0; day < 8; day++) {
      const asked = site.requests(path).length;
      reader.clock.advance(1.2 * DAY_MS);
      await user.send('GET', '/users/me');
      await vi.waitFor(() => expect(site.requests(path).length).toBeGreaterThan(asked), WAIT_OPTIONS);
      await vi.waitFor(
        async () => expect((await user.source(id)).lastFetchAt).toBe(reader.clock.now().toISOString()),
        WAIT_OPTIONS,
      );
    }
    expect(await user.source(id)).toMatchObject({ state: 'failing' });
    site.on(path, answer(renderFeed('t', [{ guid: 'a', title: 'Back' }])));
    reader.clock.advance(1.2 * DAY_MS);
    await user.send('GET', '/users/me');
    await vi.waitFor(async () => expect(await user.source(id)).toMatchObject({ state: 'active' }), WAIT_OPTIONS);
    expect(await user.titles()).toEqual(['Back']);
  }, 60_000);
});

describe('a mistake of our own', () => {
  it('becomes a dead letter, delays no other source, and is repaired by a replay', async () => {
    const reader = await startReader(server.url, { policy: 'tiers' });
    const site = await FeedSite.start();
    onTestFinished(() => server.database.pool.query('DROP TRIGGER IF EXISTS mistake ON posts').then(() => undefined));
    await server.database.pool.query(`
      CREATE OR REPLACE FUNCTION mistake() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'our mistake'; END $$;
      CREATE TRIGGER mistake BEFORE INSERT ON posts FOR EACH ROW WHEN (NEW.title = 'Unlucky') EXECUTE FUNCTION mistake()`);
    const user = reader.as('unlucky');
    site.publish('/unlucky', { guid: 'a', title: 'Unlucky' });
    const { id } = await user.follow(site.url('/unlucky'));
    const queue = reader.app.get<QueueBackend>(QUEUE_BACKEND).queue('fetch-rss');
    await vi.waitFor(async () => {
      for (const job of await queue.getDelayed()) await job.promote();
      expect(await user.source(id)).toMatchObject({ consecutiveFailures: 1, nextFetchAt: expect.any(String) });
    }, WAIT_OPTIONS);
    expect(site.requests('/unlucky')).toHaveLength(3);
    expect((await user.source(id)).lastError).not.toMatch(/our mistake|insert/i);
    const ask = (method: 'GET' | 'POST', path: string) =>
      reader.send({ method, url: `/api/v1/dead-letters${path}`, key: reader.config.adminKey ?? '' });
    const { items } = (await ask('GET', '?queue=fetch-rss')).json();
    expect(items).toMatchObject([{ payload: { sourceId: id }, attempts: 3, state: 'open' }]);

    await server.database.pool.query('DROP TRIGGER mistake ON posts');
    expect((await ask('POST', `/${items[0].id}/replay`)).statusCode).toBe(202);
    await vi.waitFor(async () => expect(await user.titles()).toEqual(['Unlucky']), WAIT_OPTIONS);
    expect(await user.source(id)).toMatchObject({ consecutiveFailures: 0, lastError: null });
  }, 60_000);
});

describe('a source that has moved for good', () => {
  const moved = (to: string) => (_: unknown, response: ServerResponse) =>
    void response.writeHead(301, { location: to }).end();

  it('is known by its new address, and found by the old one', async () => {
    const reader = await startReader(server.url, { policy: 'tiers' });
    const site = await FeedSite.start();
    site.publish('/new-home', { guid: 'a', title: 'A' });
    const { user, source, path } = await fetched(reader, site, moved('/new-home'));
    expect(source.externalId).toBe(site.url('/new-home'));
    expect(await reader.as('late').follow(site.url(path))).toMatchObject({ id: source.id });
    await vi.waitFor(async () => expect(await user.titles()).toEqual(['A']), WAIT_OPTIONS);
  });

  it('brings its followers to the source that is there already, where posts of both are seen once, with their marks', async () => {
    const reader = await startReader(server.url, { policy: 'tiers' });
    const site = await FeedSite.start();
    const old = await fetched(
      reader,
      site,
      answer(
        renderFeed('t', [
          { guid: 'a', title: 'Both' },
          { guid: 'b', title: 'Old only' },
        ]),
      ),
    );
    const target = await fetched(reader, site, answer(renderFeed('t', [{ guid: 'a', title: 'Both' }])));
    const { body } = await old.user.send('GET', '/feed');
    for (const { id } of body.items) await old.user.send('PUT', `/posts/${id}/star`);

    site.on(old.path, moved(target.path));
    reader.clock.advance(2.5 * HOUR_MS);
    await vi.waitFor(async () => expect(await old.user.source(old.id)).toMatchObject({ id: target.id }), WAIT_OPTIONS);
    expect(await old.user.source(target.id)).toMatchObject({ followers: 2 });
    expect((await old.user.titles()).toSorted()).toEqual(['Both', 'Old only']);
    expect((await old.user.titles('?starred=true')).toSorted()).toEqual(['Both', 'Old only']);
    expect(await target.user.titles()).toEqual(['Both']);
  });
});

function endless(_request: unknown, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/rss+xml' });
  const chunk = '<item><title>x</title></item>'.repeat(10_000);
  const pour = () => {
    if (!response.destroyed) response.write(chunk, () => setImmediate(pour));
  };
  response.write('<rss><channel>');
  pour();
}

function entityBomb(): string {
  const lines = Array.from({ length: 20 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`);
  return `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY e0 "lol">${lines.join('')}]>
    <rss><channel><title>&e20;</title><item><title>&e20;</title></item></channel></rss>`;
}
