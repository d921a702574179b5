import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { testDatabase } from '../harness/database.js';
import { type FeedItem, FeedSite } from '../harness/feed-site.js';
import { ownRedis } from '../harness/redis.js';
import { startImporting } from '../imports/importing.js';
import { WorldOfFeeds } from '../imports/world-of-feeds.js';

const WAIT_OPTIONS = { timeout: 60_000, interval: 50 };

// Other files share the two cores.
vi.setConfig({ testTimeout: 150_000 });
const server = testDatabase();
const redis = ownRedis();
// All sites are on one host here: what one of them asks for would hold for the next test.
beforeEach(() => server.database.pool.query('DELETE FROM host_backoffs; DELETE FROM host_limits'));

const made = (from: number, to: number): FeedItem[] =>
  Array.from({ length: to - from }, (_, at) => ({ guid: `item-${from + at}`, title: `Item ${from + at}` }));
const titlesOf = (items: FeedItem[]) => items.map(({ title }) => title);
const status = (response: ServerResponse, code: number, headers: Record<string, string> = {}) =>
  void response.writeHead(code, headers).end('no');

async function storedTitles(feed: string): Promise<string[]> {
  const { rows } = await server.database.pool.query<{ title: string }>(
    'SELECT posts.title FROM posts JOIN sources ON sources.id = source_id WHERE sources.external_id = $1 ORDER BY posts.id',
    [feed],
  );
  return rows.map(({ title }) => title);
}

describe('items that cannot be stored', () => {
  const good = made(0, 97);
  const bad = [
    { xml: '<item></item>' },
    { xml: '<item><category>nothing to read</category></item>' },
    { xml: '<item><title> </title><link></link></item>' },
  ] as const;

  it('are dead letters with the reason, while the rest of their feed is stored', async () => {
    const { as, letters } = await startImporting(server.url);
    const site = await FeedSite.start();
    site.window = 100;
    site.show('/jobs', [...good.slice(0, 40), bad[0], ...good.slice(40, 80), bad[1], bad[2], ...good.slice(80)]);
    const user = as('anna');
    const { id } = await user.start([site.url('/jobs')]);
    expect(await user.whenEnded(id)).toMatchObject({
      status: 'completed',
      feeds: { total: 1, done: 1, failed: 0 },
      items: { found: 100, new: 97, updated: 0, unchanged: 0, failed: 3 },
    });
    expect((await storedTitles(site.url('/jobs'))).toSorted()).toEqual(titlesOf(good).toSorted());
    expect((await letters()).map(({ reason }) => reason)).toEqual(bad.map(() => expect.stringMatching(/empty/)));
    const failed = await user.list<{ place: number; reason: string }>(id, 'items?status=failed');
    expect(failed).toMatchObject([41, 82, 83].map((place) => ({ place, reason: expect.stringMatching(/empty/) })));
  });

  it('are replayed in vain before the feed is repaired, and stored afterwards', async () => {
    const { as, letters, replay } = await startImporting(server.url);
    const site = await FeedSite.start();
    site.show('/broken', [...made(0, 2), bad[1], bad[0]]);
    const user = as('ben');
    const known = new Set((await letters()).map(({ id }) => id));
    const open = async () => (await letters()).filter(({ id }) => !known.has(id));
    const { id } = await user.start([site.url('/broken')]);
    expect(await user.whenEnded(id)).toMatchObject({ items: { found: 4, new: 2, failed: 2 } });
    const first = await open();
    expect(first).toHaveLength(2);

    for (const letter of first) expect(await replay(letter)).toMatchObject({ state: 'replayed' });
    const again = await vi.waitFor(async () => {
      const now = await open();
      expect(now.map(({ links }) => links.replayOf).toSorted()).toEqual(
        first.map(({ links }) => links.self).toSorted(),
      );
      return now;
    }, WAIT_OPTIONS);
    expect(await user.find(id)).toMatchObject({ status: 'completed', items: { found: 4, new: 2, failed: 2 } });

    site.show('/broken', [
      ...made(0, 2),
      { guid: 'other-id', title: 'Repaired' },
      { guid: 'new-id', title: 'Filled in' },
    ]);
    for (const letter of again) await replay(letter);
    const repaired = { status: 'completed', items: { found: 4, new: 4, failed: 0 } };
    await vi.waitFor(async () => expect(await user.find(id)).toMatchObject(repaired), WAIT_OPTIONS);
    expect((await storedTitles(site.url('/broken'))).toSorted()).toEqual(['Filled in', 'Item 0', 'Item 1', 'Repaired']);
    expect(await open()).toEqual([]);
    expect(await user.list(id, 'items?status=failed')).toEqual([]);
    expect(await user.list(id, 'items')).toHaveLength(4);
  });
});

describe('a failing feed', () => {
  it('that answers 500 twice is imported at the third try', async () => {
    const { as } = await startImporting(server.url);
    const site = await FeedSite.start();
    site.publish('/moody', ...made(0, 5));
    site.on('/moody', (_, response) => {
      status(response, 500);
      if (site.requests('/moody').length >= 1) site.repair('/moody');
    });
    const user = as('carl');
    const { id } = await user.start([site.url('/moody')]);
    expect(await user.whenEnded(id)).toMatchObject({ status: 'completed', feeds: { done: 1 }, items: { new: 5 } });
    expect(site.requests('/moody').map((request) => request.status)).toEqual([500, 500, 200]);
  });

  it('that always answers 500 fails alone, and is imported by a replay once it is well', async () => {
    const { as, send, config } = await startImporting(server.url);
    const site = await FeedSite.start();
    site.publish('/well', ...made(0, 5));
    site.publish('/ill', ...made(5, 8));
    site.on('/ill', (_, response) => status(response, 500));
    const user = as('dora');
    const { id } = await user.start([site.url('/ill'), site.url('/well')]);
    expect(await user.whenEnded(id)).toMatchObject({
      status: 'completed',
      feeds: { total: 2, done: 1, failed: 1 },
      items: { found: 5, new: 5 },
    });
    expect(site.requests('/ill')).toHaveLength(3);
    expect(await user.list(id, 'feeds?status=failed')).toMatchObject([{ url: site.url('/ill'), error: /500/ }]);

    site.repair('/ill');
    const ask = async (method: 'GET' | 'POST', path: string) =>
      (await send({ method, url: `/api/v1/dead-letters${path}`, key: config.adminKey ?? '' })).json();
    const { items } = await ask('GET', '?queue=import-feed&state=open');
    await ask('POST', `/${items[0].id}/replay`);
    const repaired = { status: 'completed', feeds: { total: 2, done: 2, failed: 0 }, items: { found: 8, new: 8 } };
    await vi.waitFor(async () => expect(await user.find(id)).toMatchObject(repaired), WAIT_OPTIONS);
  });

  it('that asks for patience, again and again, is waited for at the cost of no attempt', async () => {
    const { as } = await startImporting(server.url);
    const site = await FeedSite.start();
    site.publish('/busy', ...made(0, 5));
    const refusals = [503, 429, 503, 503];
    site.on('/busy', (_, response) => {
      status(response, refusals.shift() ?? 500, { 'retry-after': '1' });
      if (!refusals.length) site.repair('/busy');
    });
    const user = as('emil');
    const { id } = await user.start([site.url('/busy')]);
    expect(await user.whenEnded(id)).toMatchObject({ status: 'completed', feeds: { done: 1 }, items: { new: 5 } });
    expect(site.requests('/busy').map((request) => request.status)).toEqual([503, 429, 503, 503, 200]);
  }, 150_000);
});

describe('an archive', () => {
  const publishArchive = (site: FeedSite, rel: 'next' | 'prev-archive') => {
    site.show('/blog', made(0, 10), { rel, url: site.url('/blog?page=2') });
    site.show('/blog?page=2', made(10, 20), { rel, url: site.url('/blog?page=3') });
    // The oldest page leads round to the first archive page.
    site.show('/blog?page=3', made(20, 25), { rel, url: site.url('/blog?page=2') });
  };

  it.each(['next', 'prev-archive'] as const)('is walked to its end if all is wanted: rel="%s"', async (rel) => {
    const { as } = await startImporting(server.url, { importBatch: 7 });
    const site = await FeedSite.start();
    publishArchive(site, rel);
    const user = as(`frida-${rel}`);
    const { id } = await user.start([site.url('/blog')], { full: true });
    expect(await user.whenEnded(id)).toMatchObject({
      status: 'completed',
      feeds: { total: 1, done: 1 },
      items: { found: 25, new: 25, failed: 0 },
    });
    expect((await storedTitles(site.url('/blog'))).toSorted()).toEqual(titlesOf(made(0, 25)).toSorted());
    expect(site.requests('/blog?page=3')).toHaveLength(1);
  });

  it('is left alone if not', async () => {
    const { as } = await startImporting(server.url);
    const site = await FeedSite.start();
    publishArchive(site, 'next');
    const user = as('gerd');
    const { id } = await user.start([site.url('/blog')]);
    expect(await user.whenEnded(id)).toMatchObject({ items: { found: 10, new: 10 } });
    expect(site.log.map(({ path }) => path)).toEqual(['/blog']);
  });
});

describe('an import under way', () => {
  const limits = { importRate: 20, hostConcurrency: 20 };

  it('is cancelled: its totals stay as they are, and nothing more is fetched or stored', async () => {
    const { as } = await startImporting(server.url, limits);
    const site = await FeedSite.start();
    const world = new WorldOfFeeds(site, { feeds: 100, items: 10 });
    const user = as('hans');
    const { id } = await user.start(world.urls);
    await user.when(id, ({ items }) => items.new > 100);
    const cancelled = await user.cancel(id);
    expect(cancelled).toMatchObject({ status: 'cancelled', completedAt: expect.any(String) });
    const settled = await vi.waitFor(async () => {
      expect(await user.list(id, 'feeds?status=storing')).toEqual([]);
      expect(await user.list(id, 'feeds?status=fetching')).toEqual([]);
      expect(await user.list(id, 'feeds?status=queued')).toEqual([]);
      return user.find(id);
    }, WAIT_OPTIONS);
    const { new: added, found } = settled.items;
    expect(found).toBe(added);
    const asked = site.log.length;
    await sleep(2_000);
    expect(await user.find(id)).toEqual(settled);
    expect(await storedOf(site)).toBe(added);
    expect(site.log.length - asked).toBeLessThanOrEqual(10);
    expect((await user.send('POST', `/imports/${id}/cancel`)).status).toBe(200);
  });

  it('loses nothing when Redis is flushed', async () => {
    const { as } = await startImporting(server.url, { ...limits, redisUrl: redis.url });
    const site = await FeedSite.start();
    const world = new WorldOfFeeds(site, { feeds: 60, items: 10 });
    const user = as('ida');
    const { id } = await user.start(world.urls);
    await user.when(id, ({ items }) => items.new > 50);
    await redis.flush();
    await user.when(id, ({ items }) => items.new > 300);
    await redis.flush();
    expect(await user.whenEnded(id)).toMatchObject({
      status: 'completed',
      feeds: { total: 60, done: 60, failed: 0 },
      items: { found: 600, new: 600, failed: 0 },
    });
    expect(await storedOf(site)).toBe(600);
  }, 90_000);

  it('does not hold up that of somebody else', async () => {
    const { as } = await startImporting(server.url, { importConcurrency: 4, hostConcurrency: 20 });
    const site = await FeedSite.start();
    const world = new WorldOfFeeds(site, { feeds: 800, items: 2 });
    site.delayMs = 50;
    site.publish('/small', ...made(0, 5));
    const [large, small] = [as('klaus'), as('lena')];
    const { id: largeId } = await large.start(world.urls);
    await large.when(largeId, ({ feeds }) => feeds.done > 20);
    const { id: smallId } = await small.start([site.url('/small')]);
    expect(await small.whenEnded(smallId)).toMatchObject({ status: 'completed', items: { new: 5 } });
    expect(await large.find(largeId)).toMatchObject({ status: 'running' });
    await large.cancel(largeId);
  }, 150_000);

  async function storedOf(site: FeedSite): Promise<number> {
    const { rows } = await server.database.pool.query<{ count: number }>(
      `SELECT count(*)::int FROM posts JOIN sources ON sources.id = source_id WHERE starts_with(sources.external_id, $1)`,
      [site.url('/')],
    );
    return rows[0]?.count ?? 0;
  }
});

describe('who brings their feeds along', () => {
  it('follows them, and reads them at once, without a second fetch', async () => {
    const { as } = await startImporting(server.url);
    const site = await FeedSite.start();
    site.publish('/news', ...made(0, 3));
    const user = as('mona');
    const { id } = await user.start([site.url('/news'), site.url('/news#top')], { follow: true });
    expect(await user.whenEnded(id)).toMatchObject({ feeds: { total: 1, done: 1 }, duplicateFeeds: 1 });
    await vi.waitFor(async () => expect((await user.titles()).toSorted()).toEqual(titlesOf(made(0, 3))), WAIT_OPTIONS);
    expect(site.requests('/news')).toHaveLength(1);
  });
});
