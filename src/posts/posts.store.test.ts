import { eq, getTableColumns, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../test/harness/database.js';
import { foundPost, postsOn } from '../../test/posts/made-posts.js';
import { seededRandom } from '../../test/program/seeded-random.js';
import type { FoundPost } from './post.js';
import { posts } from './posts.table.js';
import { postsChanged } from './posts-changed.event.js';
import { TimelineStore } from './timeline.store.js';

const now = new Date('2026-03-01T12:00:00Z');

describe('PostsStore', () => {
  const db = testDatabase();
  let made: ReturnType<typeof postsOn>;

  beforeAll(async () => {
    made = postsOn(db.database);
    await made.events.onApplicationBootstrap();
  });
  afterAll(async () => {
    await made.sanitiser.onApplicationShutdown();
    await made.events.onApplicationShutdown();
  });

  const stored = (sourceId: string) =>
    db.database.db
      .select({ ...getTableColumns(posts), xmin: sql<string>`xmin` })
      .from(posts)
      .where(eq(posts.sourceId, sourceId))
      .orderBy(posts.id);

  /** Counts the posts of a source that the search finds. */
  const findIn = (sourceId: string) => {
    const reader = made.newUser().then(async (userId) => {
      await made.follow(userId, sourceId);
      return userId;
    });
    const timeline = new TimelineStore(db.database);
    return async (q: string) => (await timeline.list(await reader, { q }, { limit: 50 })).length;
  };
  const externalIds = async (sourceId: string) => (await stored(sourceId)).map((row) => row.externalId);

  it('keeps each post once, however often and in whatever order the source repeats it', async () => {
    const sourceId = await made.newSource();
    const random = seededRandom(7);
    const all = Array.from({ length: 60 }, (_, at) => foundPost(`post ${at}`));
    for (let round = 0; round < 15; round++) {
      const page = Array.from({ length: 30 }, () => all[Math.floor(random() * all.length)] as FoundPost);
      const { added } = await made.save(sourceId, page);
      expect(new Set(added).size).toBe(added.length);
    }
    await made.save(sourceId, all);
    expect((await externalIds(sourceId)).toSorted()).toEqual(all.map(({ externalId }) => externalId).toSorted());
  });

  it('gives the oldest of a page the smallest id', async () => {
    const sourceId = await made.newSource();
    const day = (date: number) => ({ publishedAt: new Date(Date.UTC(2026, 0, date)) });
    await made.save(sourceId, [
      foundPost('c', day(3)),
      foundPost('a', day(1)),
      foundPost('b', day(2)),
      foundPost('b2', day(2)),
    ]);
    expect(await externalIds(sourceId)).toEqual(['a', 'b2', 'b', 'c']);
  });

  it('writes nothing for what has not changed, and tells nobody', async () => {
    const sourceId = await made.newSource();
    const page = Array.from({ length: 50 }, (_, at) => foundPost(`${at}`, { metrics: { likes: at } }));
    expect(await made.save(sourceId, page)).toMatchObject({ changed: 0, unchanged: 0 });
    const [before, row] = [await stored(sourceId), await made.sourceRow(sourceId)];
    expect(await made.save(sourceId, page)).toEqual({ added: [], changed: 0, unchanged: 50 });
    expect(await stored(sourceId)).toEqual(before);
    expect(await made.sourceRow(sourceId)).toEqual(row);
  });

  it('updates only the posts that changed', async () => {
    const sourceId = await made.newSource();
    await made.save(
      sourceId,
      ['a', 'b', 'c'].map((id) => foundPost(id)),
    );
    const before = await stored(sourceId);
    const page = [foundPost('a'), foundPost('b', { title: 'New', content: '<b onclick=x>new</b>' }), foundPost('c')];
    expect(await made.save(sourceId, page)).toEqual({ added: [], changed: 1, unchanged: 2 });
    const after = await stored(sourceId);
    expect(after[1]).toMatchObject({
      id: before[1]?.id,
      title: 'New',
      content: '<b onclick=x>new</b>',
      safeContent: '<b>new</b>',
    });
    expect([after[0], after[2]]).toEqual([before[0], before[2]]);
  });

  it('updates metrics alone where nothing else changed', async () => {
    const sourceId = await made.newSource();
    await made.save(sourceId, [foundPost('a', { metrics: { likes: 1 } })]);
    const prepared = await made.store.prepare(
      sourceId,
      [foundPost('a', { metrics: { likes: 2, shares: Number.NaN } })],
      now,
    );
    expect(prepared).toMatchObject({ posts: [], metrics: [{ externalId: 'a' }] });
    expect(await db.database.transaction((tx) => made.store.save(tx, prepared))).toMatchObject({
      added: [],
      changed: [expect.any(String)],
    });
    expect(await stored(sourceId)).toMatchObject([{ metrics: { likes: 2 }, safeContent: '<p>a</p>' }]);
    expect(await made.save(sourceId, [foundPost('a', { metrics: { likes: 2 } })])).toMatchObject({ unchanged: 1 });
  });

  it('stores what PostgreSQL cannot take as it comes', async () => {
    const sourceId = await made.newSource();
    const odd = 'a\0b\ud800c';
    const author = { username: odd, displayName: odd, avatarUrl: odd };
    const post = foundPost(odd, { url: odd, title: odd, content: odd, author, media: [{ url: odd }] });
    await made.save(sourceId, [post, foundPost('\0', { title: 'nameless' }), foundPost('\0', { title: 'another' })]);
    expect(await made.save(sourceId, [post])).toMatchObject({ unchanged: 1 });
    const rows = await stored(sourceId);
    expect(rows.map(({ title }) => title).toSorted()).toEqual(['ab\ufffdc', 'another', 'nameless']);
    expect(rows.every(({ externalId }) => externalId.length > 0)).toBe(true);
  });

  it('bears ids, words and texts of any length', async () => {
    const sourceId = await made.newSource();
    const long = [
      foundPost('i'.repeat(100_000)),
      foundPost(`${'i'.repeat(100_000)}j`),
      foundPost('word', { content: 'w'.repeat(500_000) }),
      foundPost('words', { content: Array.from({ length: 120_000 }, (_, at) => `w${at}`).join(' ') }),
      foundPost('letters', { content: '𝒜 '.repeat(150_000) }),
    ];
    expect((await made.save(sourceId, long)).added).toHaveLength(5);
    expect(await made.save(sourceId, long)).toMatchObject({ unchanged: 5 });
  });

  it('finds posts by their words', async () => {
    const sourceId = await made.newSource();
    const author = { username: 'bob', displayName: 'Robert Roe' };
    await made.save(sourceId, [
      foundPost('a', { title: 'Tall Tales', content: '<p>of <i>wha</i>les<script>hidden</script></p>', author }),
    ]);
    await made.index();
    const find = findIn(sourceId);
    for (const query of ['tales', 'whales', 'roe', 'BOB']) expect([query, await find(query)]).toEqual([query, 1]);
    expect(await find('hidden')).toBe(0);
    await made.save(sourceId, [foundPost('a', { title: 'Short Stories', author })]);
    await made.index();
    expect([await find('tales'), await find('stories')]).toEqual([0, 1]);
  });

  it('finds a changed post that was stored before words were kept apart by its new words only', async () => {
    const sourceId = await made.newSource();
    await made.save(sourceId, [foundPost('a', { title: 'Tall Tales' })]);
    await db.database.db.execute(sql`DELETE FROM unindexed_posts`);
    await db.database.db.execute(
      sql`UPDATE posts SET search = to_tsvector('simple', title) WHERE source_id = ${sourceId}`,
    );
    const find = findIn(sourceId);
    expect(await find('tales')).toBe(1);
    await made.save(sourceId, [foundPost('a', { title: 'Short Stories' })]);
    await made.index();
    expect([await find('tales'), await find('stories')]).toEqual([0, 1]);
  });

  it('saves the posts of many sources at once, and nothing of one that was deleted', async () => {
    const ids = [await made.newSource(), await made.newSource(), await made.newSource()];
    const [one = '', two = '', gone = ''] = ids;
    await made.save(one, [foundPost('known')]);
    const prepared = await Promise.all(
      ids.map((id) => made.store.prepare(id, [foundPost('known'), foundPost('new', { title: `of ${id}` })], now)),
    );
    await db.database.db.execute(sql`DELETE FROM sources WHERE id = ${gone}`);
    const saved = await db.database.transaction((tx) => made.store.saveAll(tx, prepared));
    expect(saved.map(({ added, unchanged, ids }) => [added.length, unchanged.length, ids.size])).toEqual([
      [1, 1, 2],
      [2, 0, 2],
      [0, 0, 0],
    ]);
    expect((await stored(one)).map(({ externalId }) => externalId).toSorted()).toEqual(['known', 'new']);
    expect((await stored(two)).map(({ title }) => title)).toContain(`of ${two}`);
    expect(await made.sourceRow(two)).toMatchObject((await made.expectedRow(two)) as object);
  });

  it('takes the time of finding where the source says none or nonsense, and keeps it', async () => {
    const sourceId = await made.newSource();
    const undated = ['first', 'second', 'third'].map((id) => foundPost(id, { publishedAt: undefined }));
    const odd = foundPost('odd', { publishedAt: new Date('2999-01-01T00:00:00Z') });
    const page = [...undated, odd, foundPost('broken', { publishedAt: new Date(Number.NaN) })];
    await made.save(sourceId, page, now);
    const before = await stored(sourceId);
    expect(before.map((row) => row.externalId)).toEqual(['broken', 'odd', 'third', 'second', 'first']);
    expect(before.at(-1)?.publishedAt).toEqual(now);
    expect(before.every(({ dated }) => !dated)).toBe(true);
    const later = new Date(now.getTime() + 3_600_000);
    await made.save(
      sourceId,
      page.map((post) => ({ ...post, title: 'changed' })),
      later,
    );
    const times = (rows: { publishedAt: Date }[]) => rows.map(({ publishedAt }) => publishedAt);
    expect(times(await stored(sourceId))).toEqual(times(before));
    const real = new Date('2026-02-02T00:00:00Z');
    await made.save(sourceId, [foundPost('first', { publishedAt: real })], later);
    expect((await stored(sourceId)).at(-1)).toMatchObject({ publishedAt: real, dated: true });
    expect((await stored(sourceId)).filter(({ dated }) => dated)).toHaveLength(1);
  });

  it('remembers that a post was dated at the very moment of its discovery', async () => {
    const sourceId = await made.newSource();
    await made.save(sourceId, [foundPost('a', { publishedAt: now }), foundPost('b', { publishedAt: undefined })], now);
    expect(new Map((await stored(sourceId)).map((row) => [row.externalId, row.dated]))).toEqual(
      new Map([
        ['a', true],
        ['b', false],
      ]),
    );
  });

  it('writes nothing when a source only moves its dates on', async () => {
    const sourceId = await made.newSource();
    const said = new Date('2026-01-01T00:00:00Z');
    await made.save(sourceId, [foundPost('a', { publishedAt: said })], now);
    const again = await made.save(sourceId, [foundPost('a', { publishedAt: new Date(said.getTime() + 60_000) })], now);
    expect(again).toMatchObject({ added: [], changed: 0, unchanged: 1 });
    expect((await stored(sourceId)).at(-1)?.publishedAt).toEqual(said);
  });

  it('keeps what the source says about its posts exact', async () => {
    const sourceId = await made.newSource();
    const random = seededRandom(3);
    const day = () => ({ publishedAt: new Date(Date.UTC(2025, 0, 1 + Math.floor(random() * 300))) });
    for (let round = 0; round < 20; round++) {
      await made.save(
        sourceId,
        Array.from({ length: 5 }, () => foundPost(`${Math.floor(random() * 30)}`, day())),
      );
      expect(await made.sourceRow(sourceId)).toMatchObject((await made.expectedRow(sourceId)) ?? {});
    }
    expect((await made.sourceRow(sourceId))?.revision).toBeGreaterThan(5);
  });

  it('tells which posts are new, in pieces, with the revision from then on', async () => {
    const sourceId = await made.newSource();
    const told: { newPostIds: string[]; revision: number }[] = [];
    const stop = made.events.subscribe(postsChanged, (event) => {
      if (event.sourceId === sourceId) told.push(event);
    });
    const { added } = await made.save(
      sourceId,
      Array.from({ length: 700 }, (_, at) => foundPost(`${at}`)),
    );
    await expect.poll(() => told.flatMap(({ newPostIds }) => newPostIds)).toEqual(added);
    await made.save(sourceId, [foundPost('1', { title: 'changed' })]);
    await expect.poll(() => told.at(-1)).toMatchObject({ newPostIds: [], revision: 2 });
    expect(told.slice(0, -1).every(({ revision }) => revision === 1)).toBe(true);
    stop();
  });

  it('knows what is stored, and nothing of other sources', async () => {
    const [sourceId, other] = [await made.newSource(), await made.newSource()];
    const { added } = await made.save(sourceId, [foundPost('a')]);
    await made.save(other, [foundPost('b')]);
    expect(await made.store.known(sourceId, ['a', 'b', 'c'])).toEqual(new Map([['a', added[0]]]));
    expect(await made.store.known(sourceId, [])).toEqual(new Map());
  });

  it('stores each post once when two save the same page in different orders at once', async () => {
    const sourceId = await made.newSource();
    const page = Array.from({ length: 200 }, (_, at) => foundPost(`${at}`, { publishedAt: undefined }));
    const saves = await Promise.all([page, page.toReversed(), page].map((posts) => made.save(sourceId, posts)));
    expect(saves.map(({ added }) => added.length).reduce((a, b) => a + b)).toBe(200);
    expect(await stored(sourceId)).toHaveLength(200);
    expect(await made.sourceRow(sourceId)).toMatchObject((await made.expectedRow(sourceId)) ?? {});
  });

  it('leaves nothing behind when the transaction fails', async () => {
    const sourceId = await made.newSource();
    const prepared = await made.store.prepare(sourceId, [foundPost('a')], now);
    const failing = db.database.transaction(async (tx) => {
      await made.store.save(tx, prepared);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await stored(sourceId)).toEqual([]);
    expect(await made.sourceRow(sourceId)).toEqual({ at: null, id: null, revision: 0 });
  });

  it('saves nothing for a source that has gone meanwhile', async () => {
    const sourceId = await made.newSource();
    const prepared = await made.store.prepare(sourceId, [foundPost('a')], now);
    await db.database.db.execute(sql`DELETE FROM sources WHERE id = ${sourceId}`);
    expect(await db.database.transaction((tx) => made.store.save(tx, prepared))).toEqual({
      added: [],
      changed: [],
      unchanged: [],
      ids: new Map(),
    });
  });

  it('stores a page of 20,000 posts', async () => {
    const sourceId = await made.newSource();
    const page = Array.from({ length: 20_000 }, (_, at) => foundPost(`${at}`, { content: `plain ${at}` }));
    expect((await made.save(sourceId, page)).added).toHaveLength(20_000);
    expect(await made.save(sourceId, page)).toMatchObject({ unchanged: 20_000 });
  });
});
