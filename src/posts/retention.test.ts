import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClock } from '../../test/harness/api.js';
import { testDatabase } from '../../test/harness/database.js';
import { foundPost, postsOn } from '../../test/posts/made-posts.js';
import { parseConfig } from '../platform/config.js';
import { Periodic } from '../platform/time/periodic.js';
import { MarksStore } from './marks.store.js';
import { postsChanged } from './posts-changed.event.js';
import { Retention } from './retention.js';

const DAY = 86_400_000;

describe('Retention', () => {
  const db = testDatabase();
  const log = pino({ level: 'silent' });
  const clock = new TestClock();
  let made: ReturnType<typeof postsOn>;
  beforeAll(async () => {
    made = postsOn(db.database);
    await made.events.onApplicationBootstrap();
  });
  afterAll(async () => {
    await made.sanitiser.onApplicationShutdown();
    await made.events.onApplicationShutdown();
  });

  function retention(limits: { keepAgeMs?: number; keepPosts?: number }) {
    const config = { ...parseConfig({}), keepAgeMs: 36_500 * DAY, keepPosts: 1_000_000, ...limits };
    return new Retention(config, log, clock, db.database, new Periodic(config, log));
  }

  /** Returns posts named by their age in days. */
  const ages = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, at) =>
      foundPost(`${from + at}`, {
        publishedAt: new Date(clock.now().getTime() - (from + at) * DAY),
        media: [{ url: 'https://e.org/a.mp3' }],
      }),
    );
  async function kept(sourceId: string) {
    const { rows } = await db.database.db.execute<{ id: string }>(
      sql`SELECT external_id AS id FROM posts WHERE source_id = ${sourceId} AND removed_at IS NULL ORDER BY external_id::int`,
    );
    return rows.map(({ id }) => Number(id));
  }
  const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

  it('removes what is too old, but never the newest 50', async () => {
    const [busy, quiet] = [await made.newSource(), await made.newSource()];
    await made.save(busy, ages(1, 100));
    await made.save(quiet, ages(1_000, 1_060));
    expect(await retention({ keepAgeMs: 70.5 * DAY }).run()).toBe(30 + 11);
    expect(await kept(busy)).toEqual(numbers(1, 70));
    expect(await kept(quiet)).toEqual(numbers(1_000, 1_049));
    expect(await retention({ keepAgeMs: 70.5 * DAY }).run()).toBe(0);
  });

  it('removes what is too many, in batches, oldest first', async () => {
    const sourceId = await made.newSource();
    await made.save(sourceId, ages(1, 2_600));
    expect(await retention({ keepPosts: 60 }).run()).toBeGreaterThanOrEqual(2_540);
    expect(await kept(sourceId)).toEqual(numbers(1, 60));
  });

  it('keeps what somebody has starred', async () => {
    const [sourceId, user] = [await made.newSource(), await made.newUser()];
    await made.save(sourceId, ages(1, 80));
    const known = await made.store.known(sourceId, ['75', '80']);
    await db.database.db.execute(
      sql`INSERT INTO marks (user_id, post_id, starred_at) VALUES (${user}, ${known.get('75') ?? ''}, now())`,
    );
    await db.database.db.execute(
      sql`INSERT INTO marks (user_id, post_id, read) VALUES (${user}, ${known.get('80') ?? ''}, true)`,
    );
    await retention({ keepPosts: 70 }).run();
    expect(await kept(sourceId)).toEqual([...numbers(1, 70), 75]);
    const { rows } = await db.database.db.execute(sql`SELECT post_id FROM marks WHERE user_id = ${user}`);
    expect(rows).toEqual([{ post_id: known.get('75') }]);
  });

  it('takes the content and leaves the identity, so that the source cannot bring it back', async () => {
    const sourceId = await made.newSource();
    await made.save(sourceId, ages(1, 60));
    await made.index();
    await retention({ keepPosts: 50 }).run();
    const words = await db.database.db.execute(
      sql`SELECT FROM post_words JOIN posts USING (id) WHERE source_id = ${sourceId}`,
    );
    expect(words.rowCount).toBe(50);
    const removed = await db.database.db.execute(
      sql`SELECT content, safe_content, search, media FROM posts WHERE source_id = ${sourceId} AND removed_at IS NOT NULL`,
    );
    expect(removed.rows).toEqual(Array(10).fill({ content: null, safe_content: '', search: null, media: [] }));
    const shownAgain = ages(1, 60).map((post) => ({ ...post, title: 'edited', metrics: { likes: 5 } }));
    expect(await made.save(sourceId, shownAgain)).toEqual({ added: [], changed: 50, unchanged: 10 });
    expect(await kept(sourceId)).toEqual(numbers(1, 50));
    expect((await made.store.known(sourceId, ['60'])).size).toBe(1);
  });

  it('does not bring back a post that was removed after the page was prepared', async () => {
    const sourceId = await made.newSource();
    await made.save(sourceId, ages(1, 51));
    const edited = ages(51, 51).map((post) => ({ ...post, title: 'edited' }));
    const counted = ages(50, 50).map((post) => ({ ...post, metrics: { likes: 1 } }));
    const prepared = await made.store.prepare(sourceId, [...edited, ...counted], clock.now());
    await retention({ keepPosts: 50 }).run();
    expect(await db.database.transaction((tx) => made.store.save(tx, prepared))).toMatchObject({
      added: [],
      changed: [expect.any(String)],
      unchanged: [expect.any(String)],
    });
    expect(await kept(sourceId)).toEqual(numbers(1, 50));
  });

  it('leaves the source exact and tells that its posts have changed', async () => {
    const sourceId = await made.newSource();
    const told: unknown[] = [];
    const stop = made.events.subscribe(postsChanged, (event) => {
      if (event.sourceId === sourceId) told.push(event);
    });
    await made.save(sourceId, ages(1, 50));
    await made.save(sourceId, ages(51, 60));
    await retention({ keepPosts: 50 }).run();
    expect(await made.sourceRow(sourceId)).toEqual({ ...(await made.expectedRow(sourceId)), revision: 3 });
    await expect.poll(() => told).toHaveLength(3);
    expect(told.at(-1)).toEqual({ sourceId, revision: 3, newPostIds: [] });
    stop();
  });

  it('may be done by several at once', async () => {
    const sourceId = await made.newSource();
    await made.save(sourceId, ages(1, 300));
    const removed = await Promise.all([1, 2, 3].map(() => retention({ keepPosts: 100 }).run()));
    expect(removed.reduce((a, b) => a + b)).toBe(200);
    expect(await kept(sourceId)).toEqual(numbers(1, 100));
  });

  it('never removes a post that is being starred at the same moment', async () => {
    const [sourceId, user] = [await made.newSource(), await made.newUser()];
    await made.follow(user, sourceId);
    await made.save(sourceId, ages(1, 250));
    const marks = new MarksStore(db.database, clock, made.changes);
    const ids = [...(await made.store.known(sourceId, numbers(51, 250).map(String))).values()];
    const stars = ids.map((id) => marks.setStarred(user, [id], true));
    const [, ...starred] = await Promise.all([retention({ keepPosts: 50 }).run(), ...stars]);
    const { rows } = await db.database.db.execute<{ id: string; removed: boolean }>(
      sql`SELECT id, removed_at IS NOT NULL AS removed FROM posts JOIN marks ON post_id = id WHERE user_id = ${user}`,
    );
    expect(rows.filter(({ removed }) => removed)).toEqual([]);
    expect(rows.length).toBe(starred.filter((mark) => mark !== undefined).length);
  });
});
