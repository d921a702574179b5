import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../test/harness/database.js';
import { foundPost, postsOn } from '../../test/posts/made-posts.js';

const starredAt = '2026-01-01T00:00:00Z';

describe('movePosts', () => {
  const db = testDatabase();
  let made: ReturnType<typeof postsOn>;
  beforeAll(() => {
    made = postsOn(db.database);
  });
  afterAll(() => made.sanitiser.onApplicationShutdown());

  const move = (from: string, to: string) => db.database.transaction((tx) => made.store.movePosts(tx, from, to));
  const run = async (query: ReturnType<typeof sql>) => (await db.database.db.execute(query)).rows;
  const idOf = async (sourceId: string, externalId: string) =>
    (await made.store.known(sourceId, [externalId])).get(externalId) ?? '';
  const mark = (userId: string, postId: string, marked: { read?: boolean; starred?: boolean }) =>
    run(sql`INSERT INTO marks (user_id, post_id, read, starred_at)
      VALUES (${userId}, ${postId}, ${marked.read ?? null}, ${marked.starred ? starredAt : null}::timestamptz)`);
  const marksOf = (userId: string) =>
    run(
      sql`SELECT post_id AS id, read, starred_at IS NOT NULL AS starred FROM marks WHERE user_id = ${userId} ORDER BY post_id`,
    );

  it('gives all posts to the other source, each once, and keeps their ids', async () => {
    const [from, to] = [await made.newSource(), await made.newSource()];
    await made.save(
      from,
      ['a', 'b', 'c'].map((id) => foundPost(id, { title: 'from' })),
    );
    await made.save(
      to,
      ['b', 'd'].map((id) => foundPost(id, { title: 'to' })),
    );
    const kept = [await idOf(from, 'a'), await idOf(to, 'b')];
    await move(from, to);
    expect(
      await run(sql`SELECT external_id AS id, title FROM posts WHERE source_id = ${to} ORDER BY external_id`),
    ).toEqual([
      { id: 'a', title: 'from' },
      { id: 'b', title: 'to' },
      { id: 'c', title: 'from' },
      { id: 'd', title: 'to' },
    ]);
    expect([await idOf(to, 'a'), await idOf(to, 'b')]).toEqual(kept);
  });

  it('leaves what both sources say about their posts exact, and their revisions higher', async () => {
    const [from, to] = [await made.newSource(), await made.newSource()];
    await made.save(to, [foundPost('old', { publishedAt: new Date('2020-01-01T00:00:00Z') })]);
    await made.save(from, [foundPost('new', { publishedAt: new Date('2025-01-01T00:00:00Z') })]);
    await move(from, to);
    expect(await made.sourceRow(to)).toEqual({ ...(await made.expectedRow(to)), revision: 2 });
    expect(await made.sourceRow(from)).toEqual({ at: null, id: null, revision: 2 });
  });

  it('carries marks over to the post that stays', async () => {
    const [from, to] = [await made.newSource(), await made.newSource()];
    const [ann, bob] = [await made.newUser(), await made.newUser()];
    await made.save(from, [foundPost('a'), foundPost('b')]);
    await made.save(to, [foundPost('a')]);
    const [double, alone, staying] = [await idOf(from, 'a'), await idOf(from, 'b'), await idOf(to, 'a')];
    await mark(ann, double, { read: true, starred: true });
    await mark(ann, alone, { read: true });
    await mark(bob, double, { read: false, starred: true });
    await mark(bob, staying, { read: true });
    await move(from, to);
    expect(await marksOf(ann)).toEqual(
      expect.arrayContaining([
        { id: staying, read: true, starred: true },
        { id: alone, read: true, starred: false },
      ]),
    );
    expect(await marksOf(bob)).toEqual([{ id: staying, read: true, starred: true }]);
  });

  /** What of a source's posts a user has read, going by the follow that is left once the sources are one. */
  const readIn = async (userId: string, { from, to }: { from: string; to: string }) => {
    const rows = await run(sql`
      SELECT external_id AS id FROM posts LEFT JOIN marks ON marks.user_id = ${userId} AND post_id = posts.id
      WHERE posts.source_id = ${to} AND coalesce(read, posts.id <= (
        SELECT read_up_to FROM follows WHERE follows.user_id = ${userId} AND follows.source_id IN (${from}, ${to})
        ORDER BY follows.source_id = ${to} DESC LIMIT 1)) ORDER BY external_id`);
    return rows.map(({ id }) => id);
  };
  const readUpTo = (userId: string, sourceId: string, postId: string) =>
    run(sql`INSERT INTO follows (user_id, source_id, read_up_to) VALUES (${userId}, ${sourceId}, ${postId})`);
  const posts = (...ids: string[]) =>
    ids.map((id, at) => foundPost(id, { publishedAt: new Date(`2026-01-01T00:00:0${at}Z`) }));

  it('leaves read what was read up to some post', async () => {
    const [from, to] = [await made.newSource(), await made.newSource()];
    const [all, some, none] = [await made.newUser(), await made.newUser(), await made.newUser()];
    await made.save(from, posts('a', 'b', 'c', 'd'));
    await made.save(to, posts('b', 'c', 'd', 'e'));
    await readUpTo(all, from, await idOf(from, 'd'));
    await readUpTo(some, from, await idOf(from, 'b'));
    await readUpTo(none, from, '0');
    await mark(all, await idOf(from, 'c'), { read: false });
    await move(from, to);
    expect(await readIn(all, { from, to })).toEqual(['a', 'b', 'd']);
    expect(await readIn(some, { from, to })).toEqual(['a', 'b']);
    expect(await readIn(none, { from, to })).toEqual([]);
  });

  it('leaves read what somebody who follows both sources has read in either, and nothing else', async () => {
    const [from, to] = [await made.newSource(), await made.newSource()];
    const [more, less] = [await made.newUser(), await made.newUser()];
    await made.save(from, posts('a', 'b', 'c'));
    await made.save(to, posts('b', 'c', 'd'));
    await readUpTo(more, from, await idOf(from, 'b'));
    await readUpTo(more, to, '0');
    await readUpTo(less, from, '0');
    await readUpTo(less, to, await idOf(to, 'c'));
    await move(from, to);
    expect(await readIn(more, { from, to })).toEqual(['a', 'b']);
    expect(await readIn(less, { from, to })).toEqual(['b', 'c']);
  });

  it('does not bring back what the other source has removed, unless somebody starred it', async () => {
    const [from, to, user] = [await made.newSource(), await made.newSource(), await made.newUser()];
    await made.save(from, [foundPost('gone'), foundPost('starred')]);
    await made.save(to, [foundPost('gone'), foundPost('starred')]);
    await run(sql`UPDATE posts SET removed_at = now() WHERE source_id = ${to}`);
    await mark(user, await idOf(from, 'starred'), { starred: true });
    await move(from, to);
    expect(await run(sql`SELECT external_id AS id FROM posts WHERE source_id = ${to} AND removed_at IS NULL`)).toEqual([
      { id: 'starred' },
    ]);
    expect(await marksOf(user)).toMatchObject([{ id: await idOf(to, 'starred'), starred: true }]);
  });
});
