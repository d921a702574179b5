import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { EventSource } from '../../test/feeds/event-source.js';
import { eventually } from '../../test/feeds/eventually.js';
import { Reader, startFeeds } from '../../test/feeds/reading.js';
import type { Api, LogLine } from '../../test/harness/api.js';
import { testDatabase } from '../../test/harness/database.js';
import { foundPost, postsOn } from '../../test/posts/made-posts.js';
import { LiveHub } from '../platform/live/live-hub.js';
import { FeedItem } from '../posts/feed-item.js';
import { sourceFailing } from '../sources/source-failing.event.js';
import { LiveFeed, MAX_MISSED, MAX_MISSED_BYTES } from './live-feed.js';

const given = testDatabase();
let made: ReturnType<typeof postsOn>;
let api: Api;
beforeAll(async () => {
  made = postsOn(given.database);
  api = await startFeeds(given.url);
  await api.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await api.stop();
  await made.sanitiser.onApplicationShutdown();
});

async function listen(reader: Reader, { query = '', headers = {} } = {}): Promise<EventSource> {
  const url = `${await reader.api.app.getUrl()}/api/v1/feed/stream${query}`;
  return EventSource.open(url, { ...reader.headers, ...headers });
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => foundPost(`post ${n}`));

/** Until the stream tells what is stored: one that has only just been opened does not yet. */
async function untilLive(stream: EventSource, sourceId: string): Promise<void> {
  await eventually(async () => {
    await made.save(sourceId, [foundPost(`probe ${Math.random()}`)]);
    expect(stream.told.length).toBeGreaterThan(0);
  });
  stream.told.length = 0;
}

describe('a stream', () => {
  it('tells each follower of a post as it is stored, and nobody else', async () => {
    const [ann, ben, eve] = [new Reader(api), new Reader(api), new Reader(api)];
    const shared = 'https://example.org/shared';
    const source = await ann.follow(shared);
    await ben.follow(shared);
    const strange = await eve.follow();
    const streams = await Promise.all([listen(ann), listen(ann), listen(ben)]);
    const stranger = await listen(eve);
    for (const stream of streams) await untilLive(stream, source);
    await untilLive(stranger, strange);
    for (const stream of streams) stream.told.length = 0;
    const { added } = await made.save(source, [foundPost('news', { title: 'News' })]);
    await made.save(strange, [foundPost('strange')]);
    for (const stream of streams) {
      await eventually(() => expect(stream.posts).toContain('news'));
      const told = stream.told.find(({ id }) => id === added[0]);
      expect(FeedItem.parse(told?.data)).toMatchObject({ title: 'News', read: false, starred: false });
      expect(stream.posts).not.toContain('strange');
    }
    await eventually(() => expect(stranger.posts).toContain('strange'));
    expect(stranger.posts).not.toContain('news');
  });

  it('is made for browsers and proxies', async () => {
    const { response } = await listen(new Reader(api));
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'ratelimit-limit': '100000',
    });
  });

  it.each([
    ['a header', (id: string) => ({ headers: { 'last-event-id': id } })],
    ['the query', (id: string) => ({ query: `?lastEventId=${id}` })],
  ])('goes on after the post that the client saw last, as %s tells', async (_, where) => {
    const reader = new Reader(api);
    const source = await reader.follow();
    const ids: string[] = [];
    for (const post of ['a', 'b', 'c']) ids.push(...(await made.save(source, [foundPost(post)])).added);
    await reader.send('PUT', `/posts/${ids[2]}/read`);
    const stream = await listen(reader, where(ids[0] ?? ''));
    await eventually(() => expect(stream.posts).toEqual(['b', 'c']));
    expect(stream.told.map(({ id, data }) => [id, data.read])).toEqual([
      [ids[1], false],
      [ids[2], true],
    ]);
    await made.save(source, [foundPost('d')]);
    await eventually(() => expect(stream.posts).toEqual(['b', 'c', 'd']));
  });

  it('tells a client that comes back also of posts with smaller ids that were stored after all it saw', async () => {
    const reader = new Reader(api);
    const [slow, fast] = [await reader.follow(), await reader.follow()];
    const prepared = await made.store.prepare(slow, [foundPost('slow')], new Date());
    const { added } = await given.database.transaction(async (db) => {
      await made.store.save(db, prepared);
      return made.save(fast, [foundPost('fast')]);
    });
    const stream = await listen(reader, { query: `?lastEventId=${added[0]}` });
    await eventually(() => expect(stream.posts).toEqual(['slow']));
  });

  it('says so when too much was missed to tell it all', async () => {
    const reader = new Reader(api);
    const source = await reader.follow();
    const { added } = await made.save(source, numbered(MAX_MISSED + 1));
    const nearly = await listen(reader, { query: `?lastEventId=${added[0]}` });
    await eventually(() => expect(nearly.posts).toHaveLength(MAX_MISSED));
    await made.save(source, [foundPost('one more')]);
    const stream = await listen(reader, { query: `?lastEventId=${added[0]}` });
    await eventually(() => expect(stream.told).toEqual([{ event: 'reset', data: {} }]));
  });

  it('says so when what was missed is too large to tell it all', async () => {
    const reader = new Reader(api);
    const source = await reader.follow();
    const { added } = await made.save(source, [foundPost('seen')]);
    const text = 'x'.repeat(MAX_MISSED_BYTES / 2);
    await made.save(
      source,
      ['a', 'b', 'c'].map((id) => foundPost(id, { content: `<p>${text}</p>` })),
    );
    const stream = await listen(reader, { query: `?lastEventId=${added[0]}` });
    await eventually(() => expect(stream.told).toEqual([{ event: 'reset', data: {} }]));
  });

  it('tells a client that reads of posts that are large together', async () => {
    const reader = new Reader(api);
    const source = await reader.follow();
    const stream = await listen(reader);
    await untilLive(stream, source);
    const content = `<p>${'x'.repeat(800_000)}</p>`;
    await made.save(
      source,
      Array.from({ length: 12 }, (_, n) => foundPost(`large ${n}`, { content })),
    );
    await eventually(() => expect(stream.posts.filter((post) => post.startsWith('large'))).toHaveLength(12));
    expect(stream.ended).toBe(false);
  });

  it('follows changes of the follows', async () => {
    const reader = new Reader(api);
    const source = await reader.follow();
    const stream = await listen(reader);
    await untilLive(stream, source);
    const added = await reader.follow();
    await made.save(added, [foundPost('of the new one')]);
    await eventually(() => expect(stream.posts).toContain('of the new one'));
    await reader.send('DELETE', `/sources/${source}/follow`);
    await made.save(source, [foundPost('of the old one')]);
    await made.save(added, [foundPost('afterwards')]);
    await eventually(() => expect(stream.posts).toContain('afterwards'));
    expect(stream.posts).not.toContain('of the old one');
  });

  it('tells of a followed source that fails', async () => {
    const [reader, stranger] = [new Reader(api), new Reader(api)];
    const source = await reader.follow();
    const strange = await stranger.follow();
    const stream = await listen(reader);
    await untilLive(stream, source);
    for (const sourceId of [strange, source]) await made.events.publish(given.database.db, sourceFailing, { sourceId });
    const failing = () => stream.told.filter(({ event }) => event === 'source-failing');
    await eventually(() => expect(failing()).toEqual([{ event: 'source-failing', data: { sourceId: source } }]));
  });

  it('tells after a break in the news what was stored meanwhile, once', async () => {
    const reader = new Reader(api);
    const source = await reader.follow();
    const stream = await listen(reader);
    await untilLive(stream, source);
    await given.database.db.execute(sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'millrace-events' AND datname = current_database()`);
    await made.save(source, [foundPost('in the break')]);
    await eventually(() => expect(stream.posts).toContain('in the break'));
    await made.save(source, [foundPost('after it')]);
    await eventually(() => expect(stream.posts).toContain('after it'));
    expect(stream.posts.filter((post) => !post.startsWith('probe'))).toEqual(['in the break', 'after it']);
  });

  it('tells after a break in the news also of posts with smaller ids than it had told', async () => {
    const reader = new Reader(api);
    const [slow, fast] = [await reader.follow(), await reader.follow()];
    const stream = await listen(reader);
    await untilLive(stream, fast);
    const prepared = await made.store.prepare(slow, [foundPost('slow')], new Date());
    await given.database.transaction(async (db) => {
      await made.store.save(db, prepared);
      await made.save(fast, [foundPost('fast')]);
      await eventually(() => expect(stream.posts).toContain('fast'));
      await given.database.db.execute(sql`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'millrace-events' AND datname = current_database()`);
    });
    await eventually(() => expect(stream.posts).toContain('slow'));
    expect(new Set(stream.posts).size).toBe(stream.posts.length);
  });

  it('sends heartbeats, and records its reader as active', async () => {
    const reader = new Reader(api);
    const stream = await listen(reader);
    const seenAt = async () => {
      const { rows } = await given.database.pool.query('SELECT last_seen_at AS at FROM users WHERE external_id = $1', [
        reader.name,
      ]);
      return rows[0]?.at?.getTime() ?? 0;
    };
    await eventually(async () => expect(await seenAt()).toBe(api.clock.now().getTime()));
    api.clock.advance(10 * 60_000);
    api.app.get(LiveHub).sendHeartbeats();
    api.app.get(LiveFeed).recordActivity();
    await eventually(() => expect(stream.comments).toBe(1));
    await eventually(async () => expect(await seenAt()).toBe(api.clock.now().getTime()));
  });

  it('cuts off a client that does not read', async () => {
    const reader = new Reader(api);
    const source = await reader.follow();
    const stream = await listen(reader);
    stream.response.pause();
    const { rows } = await given.database.pool.query('SELECT id FROM users WHERE external_id = $1', [reader.name]);
    const large = () => foundPost(`large ${Math.random()}`, { content: `<p>${'x'.repeat(900_000)}</p>` });
    const cut = ({ path, userId, aborted }: LogLine) =>
      path === '/api/v1/feed/stream' && userId === rows[0].id && aborted;
    await eventually(async () => {
      await made.save(source, [large(), large(), large()]);
      expect(api.lines.filter(cut)).toHaveLength(1);
    });
  });

  it.each([
    ['a header', { headers: { 'last-event-id': 'nonsense' } }],
    ['a query', { query: '?lastEventId=nonsense' }],
  ])('refuses %s that says nonsense', async (_, where) => {
    const { response } = await listen(new Reader(api), where);
    expect(response.statusCode).toBe(400);
  });

  it('is refused to a user who has too many', async () => {
    const reader = new Reader(api);
    const statuses: (number | undefined)[] = [];
    for (let time = 0; time < 21; time++) statuses.push((await listen(reader)).response.statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.at(-1)).toBe(429);
  });

  it('ends at once when the process stops, also for a client that does not read', async () => {
    const own = await startFeeds(given.url, { shutdownMs: 600_000 });
    await own.app.listen({ host: '127.0.0.1', port: 0 });
    const [reader, idle] = [new Reader(api).on(own), new Reader(api).on(own)];
    const source = await reader.follow();
    const { added } = await made.save(source, numbered(2));
    await made.save(source, [foundPost('large', { content: `<p>${'x '.repeat(450_000)}</p>` })]);
    const stream = await listen(idle);
    const unread = await listen(reader, { query: `?lastEventId=${added[1]}` });
    expect([stream, unread].map(({ response }) => response.statusCode)).toEqual([200, 200]);
    unread.response.pause();
    await own.stop();
    await eventually(() => expect(stream.ended).toBe(true));
  });
});

describe('a stream ends with its key', () => {
  async function keyOfNewUser(): Promise<{ id: string; key: string }> {
    const as = { method: 'POST', key: api.adminKey } as const;
    const { id: userId } = (await api.send({ ...as, url: '/api/v1/users', payload: {} })).json();
    return (await api.send({ ...as, url: '/api/v1/keys', payload: { userId } })).json();
  }

  async function openWith({ key }: { key: string }): Promise<EventSource> {
    return EventSource.open(`${await api.app.getUrl()}/api/v1/feed/stream`, { authorization: `Bearer ${key}` });
  }

  it('when another process revokes it, and no other stream does', async () => {
    const other = await startFeeds(given.url);
    onTestFinished(() => other.stop());
    const [kept, revoked] = [await keyOfNewUser(), await keyOfNewUser()];
    const [goesOn, ends] = [await openWith(kept), await openWith(revoked)];
    await other.send({ method: 'DELETE', url: `/api/v1/keys/${revoked.id}`, key: api.adminKey });
    await eventually(() => expect(ends.ended).toBe(true));
    expect((await openWith(revoked)).response.statusCode).toBe(401);
    expect(goesOn.ended).toBe(false);
  });

  it('when it was revoked while this process received no events', async () => {
    const [kept, revoked] = [await keyOfNewUser(), await keyOfNewUser()];
    const [goesOn, ends] = [await openWith(kept), await openWith(revoked)];
    await given.database.db.execute(sql`UPDATE api_keys SET revoked_at = now() WHERE id = ${revoked.id}`);
    await given.database.db.execute(sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'millrace-events'`);
    await eventually(() => expect(ends.ended).toBe(true));
    expect(goesOn.ended).toBe(false);
  });
});
