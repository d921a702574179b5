import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { EventSource } from '../../test/feeds/event-source.js';
import { testDatabase } from '../../test/harness/database.js';
import { FeedSite } from '../../test/harness/feed-site.js';
import { startReader } from '../../test/harness/reader.js';
import type { Config } from '../platform/config.js';
import { Database } from '../platform/database/database.js';
import { Events } from '../platform/events/events.js';
import { importChanged } from './import-status.js';
import { ImportsModule } from './imports.module.js';
import { ImportsStore } from './imports.store.js';

const db = testDatabase();
let users = 0;
const WAIT_OPTIONS = { timeout: 25_000, interval: 100 };
/** No workers run, so that only the test changes rows. */
const API_ONLY: Partial<Config> = { roles: new Set(['api']) };

async function start(config: Partial<Config> = {}) {
  const reader = await startReader(db.url, { importRate: 1_000, ...config }, [ImportsModule]);
  const name = `user-${++users}`;
  const ann = reader.as(name);
  const post = async (feeds: string[]) => (await ann.send('POST', '/imports/start', { feeds })).body;
  const read = async (id: string) => (await ann.send('GET', `/imports/${id}`)).body;
  const execute = (change: ReturnType<typeof sql>) => reader.app.get(Database).db.execute(change);
  return { ...reader, ann, name, post, read, execute };
}

const addresses = (n: number) => Array.from({ length: n }, (_, at) => `https://example.org/feeds/${at}.xml`);

describe('imports', () => {
  it.each(['/imports/start', '/api/imports/start'])('are started at %s, too', async (url) => {
    const { send, config } = await start(API_ONLY);
    const headers = { 'x-millrace-user': `user-${++users}` };
    const payload = { feeds: addresses(1) };
    const answer = await send({ method: 'POST', url, headers, key: config.adminKey ?? '', payload });
    expect(answer.json()).toMatchObject({ status: 'running', feeds: { total: 1 } });
  });

  it('are listed newest first, page by page and by status', async () => {
    const { ann, post } = await start(API_ONLY);
    const ids: string[] = [];
    for (let made = 0; made < 3; made++) ids.unshift((await post(addresses(1))).id);
    await ann.send('POST', `/imports/${ids[0]}/cancel`);
    const list = async (query: string) => (await ann.send('GET', `/imports${query}`)).body;
    const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);
    const first = await list('?limit=2');
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    expect(first.items[0]).toMatchObject({ status: 'cancelled', feeds: { total: 1 } });
    expect(idsOf(await list(`?limit=2&cursor=${first.nextCursor}`))).toEqual(ids.slice(2));
    expect(idsOf(await list('?status=running'))).toEqual(ids.slice(1));
    expect((await ann.send('GET', '/imports?status=queued')).status).toBe(400);
  });

  it('are seen and changed by their owner alone', async () => {
    const { as, post } = await start(API_ONLY);
    const { id } = await post(addresses(1));
    const bob = as(`user-${++users}`);
    expect((await bob.send('GET', '/imports')).body.items).toEqual([]);
    for (const path of ['', '/feeds', '/items', '/items?status=failed', '/stream'])
      expect((await bob.send('GET', `/imports/${id}${path}`)).status, path).toBe(404);
    for (const path of ['/cancel', '/rerun'])
      expect((await bob.send('POST', `/imports/${id}${path}`)).status).toBe(404);
    expect((await bob.send('GET', '/imports/nonsense')).status).toBe(400);
  });

  it('show totals that come from the rows of their feeds and batches', async () => {
    const { post, read, execute, ann } = await start(API_ONLY);
    const { id } = await post([...addresses(4), 'nothing']);
    await execute(sql`UPDATE import_feeds SET status = 'done' WHERE import_id = ${id} AND url LIKE '%/0.xml'`);
    await execute(sql`
      INSERT INTO import_batches (import_id, feed_id, found, added, updated, unchanged, failed, job_state)
      SELECT import_id, id, 10, 4, 3, 2, 1, 'done' FROM import_feeds WHERE import_id = ${id} AND url LIKE '%/0.xml'
      UNION ALL SELECT import_id, id, 7, 7, 0, 0, 0, 'done' FROM import_feeds WHERE import_id = ${id} AND url LIKE '%/0.xml'
      UNION ALL SELECT import_id, id, 5, 0, 0, 0, 0, 'waiting' FROM import_feeds WHERE import_id = ${id} AND url LIKE '%/1.xml'`);
    const items = { found: 22, new: 11, updated: 3, unchanged: 2, failed: 1 };
    expect(await read(id)).toMatchObject({ feeds: { total: 5, done: 1, failed: 1 }, items });
    const feeds = (await ann.send('GET', `/imports/${id}/feeds`)).body.items;
    expect(feeds[0]).toMatchObject({ status: 'done', items: { ...items, found: 17 } });
    expect(feeds[1].items).toMatchObject({ found: 5, new: 0 });
    const done = (await ann.send('GET', `/imports/${id}/feeds?status=done`)).body.items;
    expect(done).toEqual([feeds[0]]);
  });

  it('can be watched until they end', async () => {
    const { app, adminKey, name, post, execute, read } = await start(API_ONLY);
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { id } = await post(addresses(2));
    const url = `${await app.getUrl()}/api/v1/imports/${id}/stream`;
    const headers = { authorization: `Bearer ${adminKey}`, 'x-millrace-user': name };
    const stream = await EventSource.open(url, headers);
    const seen = () => stream.told.map(({ event, data }) => `${event} ${data.status} ${data.feeds.done}`);
    await expect.poll(seen, WAIT_OPTIONS).toEqual(['import running 0']);
    const change = () => app.get(Events).publish(app.get(Database).db, importChanged, { importId: id });
    await execute(sql`UPDATE import_feeds SET status = 'done' WHERE import_id = ${id} AND url LIKE '%/0.xml'`);
    await change();
    await expect.poll(seen, WAIT_OPTIONS).toContain('import running 1');
    await execute(sql`UPDATE import_feeds SET status = 'done' WHERE import_id = ${id}`);
    await execute(sql`UPDATE imports SET status = 'completed', completed_at = now() WHERE id = ${id}`);
    await change();
    await expect.poll(() => stream.ended, WAIT_OPTIONS).toBe(true);
    expect(stream.told.at(-1)).toEqual({ event: 'import', data: await read(id) });
    const late = await EventSource.open(url, headers);
    await expect.poll(() => late.ended, WAIT_OPTIONS).toBe(true);
    expect(late.told).toMatchObject([{ event: 'import', data: { status: 'completed', feeds: { done: 2 } } }]);
  });
});

describe('an import that is cancelled', () => {
  it('ends its feeds, drops what waits to be written, and keeps its totals from that moment on', async () => {
    const { ann, post, read, execute } = await start(API_ONLY);
    const { id } = await post(addresses(3));
    const one = (n: number) => sql`import_id = ${id} AND url LIKE ${`%/${n}.xml`}`;
    await execute(sql`UPDATE import_feeds SET status = 'done' WHERE ${one(0)}`);
    await execute(sql`UPDATE import_feeds SET status = 'storing' WHERE ${one(1)}`);
    await execute(sql`
      INSERT INTO import_batches (import_id, feed_id, items, found, added, job_state)
      SELECT import_id, id, NULL, 10, 10, 'done' FROM import_feeds WHERE ${one(0)}
      UNION ALL SELECT import_id, id, '[]', 5, 0, 'waiting' FROM import_feeds WHERE ${one(1)}`);
    const { status, body } = await ann.send('POST', `/imports/${id}/cancel`);
    expect([status, body.status, body.items.found, body.items.new]).toEqual([200, 'cancelled', 10, 10]);
    expect(body).toMatchObject({ feeds: { total: 3, done: 1, failed: 0 }, completedAt: expect.any(String) });
    const { rows: feeds } = await execute(
      sql`SELECT status, job_state FROM import_feeds WHERE import_id = ${id} ORDER BY id`,
    );
    expect(feeds.slice(1)).toEqual(Array(2).fill({ status: 'cancelled', job_state: 'done' }));
    const { rows: batches } = await execute(
      sql`SELECT items, found, job_state FROM import_batches WHERE import_id = ${id} ORDER BY id`,
    );
    expect(batches[1]).toEqual({ items: null, found: 0, job_state: 'done' });
    expect(await read(id)).toEqual(body);
  });

  it('may be cancelled again, which goes on where a crash has left it', async () => {
    const { ann, post, read, execute } = await start(API_ONLY);
    const { id } = await post(addresses(2));
    await execute(sql`
      INSERT INTO import_batches (import_id, feed_id, items, found, job_state)
      SELECT import_id, id, '[]', 5, 'waiting' FROM import_feeds WHERE import_id = ${id} LIMIT 1`);
    await execute(sql`UPDATE imports SET status = 'cancelled', completed_at = now() WHERE id = ${id}`);
    const before = await read(id);
    expect(before.items.found).toBe(0);
    expect(await ann.send('POST', `/imports/${id}/cancel`)).toEqual({ status: 200, body: before });
    const { rows } = await execute(sql`SELECT DISTINCT status FROM import_feeds WHERE import_id = ${id}`);
    expect(rows).toEqual([{ status: 'cancelled' }]);
  });

  it('that a crash has cut short is finished by the scheduler', async () => {
    const { app, post, execute } = await start(API_ONLY);
    const { id } = await post(addresses(2));
    await execute(sql`UPDATE imports SET status = 'cancelled', completed_at = now() WHERE id = ${id}`);
    await app.get(ImportsStore).closeCancelled();
    const { rows } = await execute(sql`SELECT DISTINCT status FROM import_feeds WHERE import_id = ${id}`);
    expect(rows).toEqual([{ status: 'cancelled' }]);
  });

  it('is refused if it has ended otherwise', async () => {
    const { ann, post, execute } = await start(API_ONLY);
    const { id } = await post(addresses(1));
    await execute(sql`UPDATE imports SET status = 'completed', completed_at = now() WHERE id = ${id}`);
    const answer = await ann.send('POST', `/imports/${id}/cancel`);
    expect(answer).toMatchObject({ status: 409, body: { code: 'already_ended' } });
  });

  it('stores nothing more, whatever was under way', async () => {
    const site = await FeedSite.start();
    site.delayMs = 150;
    const paths = Array.from({ length: 40 }, (_, at) => `/feed-${at}`);
    for (const path of paths)
      site.publish(path, ...Array.from({ length: 5 }, (_, at) => ({ guid: `${path}#${at}`, title: `${path} ${at}` })));
    const { ann, post, read, execute } = await start({ importConcurrency: 4, hostConcurrency: 4 });
    const { id } = await post(paths.map((path) => site.url(path)));
    await expect.poll(async () => (await read(id)).feeds.done, WAIT_OPTIONS).toBeGreaterThan(2);
    const { body } = await ann.send('POST', `/imports/${id}/cancel`);
    expect(body.feeds.done).toBeLessThan(40);
    const stored = async () =>
      (await execute(sql`SELECT count(*)::int AS items FROM import_items WHERE import_id = ${id}`)).rows[0];
    const then = await stored();
    expect(then).toEqual({ items: body.items.new });
    // Waits until jobs that were running have certainly ended.
    await expect
      .poll(
        async () =>
          (await execute(sql`SELECT FROM import_feeds WHERE import_id = ${id} AND job_state = 'waiting'`)).rowCount,
        WAIT_OPTIONS,
      )
      .toBe(0);
    const asked = site.log.length;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(site.log.length).toBeLessThanOrEqual(asked + 4);
    expect([await read(id), await stored()]).toEqual([body, then]);
  });
});
