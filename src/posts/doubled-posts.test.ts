import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testDatabase } from '../../test/harness/database.js';
import { foundPost, postsOn } from '../../test/posts/made-posts.js';
import { hideDoubles } from './doubled-posts.js';

const db = testDatabase();
let made: ReturnType<typeof postsOn>;
beforeAll(() => {
  made = postsOn(db.database);
});
afterAll(() => made.sanitiser.onApplicationShutdown());

const run = async (query: ReturnType<typeof sql>) => (await db.database.db.execute(query)).rows;
const hide = (to: string) => db.database.transaction((tx) => hideDoubles(tx, to, new Date()));
const idOf = async (sourceId: string, externalId: string) =>
  (await made.store.known(sourceId, [externalId])).get(externalId) ?? '';
const shown = async (sourceId: string) =>
  (
    await run(sql`SELECT external_id AS id FROM posts WHERE source_id = ${sourceId} AND removed_at IS NULL ORDER BY 1`)
  ).map(({ id }) => id);
const marksOf = (userId: string) =>
  run(
    sql`SELECT post_id AS id, read, starred_at IS NOT NULL AS starred FROM marks WHERE user_id = ${userId}
    ORDER BY post_id DESC`,
  );

/** Creates two sources, of which the first has moved to the second. */
async function moved() {
  const [from, to] = [await made.newSource(), await made.newSource()];
  await run(sql`INSERT INTO fetch_states (id, type, job_state, moved_to, moved_at) VALUES
    (${to}, 'rss', 'idle', NULL, NULL), (${from}, 'rss', 'idle', ${to}, '2026-01-01')`);
  return { from, to };
}

it('shows what both have published once, and leaves everything else where it was published', async () => {
  const { from, to } = await moved();
  const posts = (title: string) => [foundPost('a', { title }), foundPost('same', { title: 'Same' })];
  await made.save(from, [
    ...posts('Of the first'),
    foundPost('plain'),
    foundPost('other', { content: 'x' }),
    foundPost('old'),
  ]);
  await made.save(to, [
    ...posts('Of the second'),
    foundPost('plain'),
    foundPost('other', { content: 'y' }),
    foundPost('new'),
  ]);
  await hide(to);
  expect(await shown(from)).toEqual(['a', 'old', 'other']);
  expect(await shown(to)).toEqual(['a', 'new', 'other', 'plain', 'same']);
  expect(await made.sourceRow(from)).toEqual({ ...(await made.expectedRow(from)), revision: 2 });
  expect(await made.sourceRow(to)).toEqual({ ...(await made.expectedRow(to)), revision: 1 });
  // The first source cannot add the emptied post again.
  await made.save(from, posts('Of the first'));
  expect(await shown(from)).toEqual(['a', 'old', 'other']);
});

it('carries stars and single marks over', async () => {
  const { from, to } = await moved();
  const user = await made.newUser();
  await made.save(from, [foundPost('a'), foundPost('b'), foundPost('c')]);
  await made.save(to, [foundPost('a'), foundPost('b'), foundPost('c')]);
  const [a, b, c] = [await idOf(from, 'a'), await idOf(from, 'b'), await idOf(to, 'c')];
  await run(sql`INSERT INTO marks (user_id, post_id, read, starred_at) VALUES
    (${user}, ${a}, NULL, now()), (${user}, ${b}, true, NULL), (${user}, ${c}, false, NULL)`);
  await hide(to);
  expect(await marksOf(user)).toEqual([
    { id: await idOf(to, 'a'), read: null, starred: true },
    { id: await idOf(to, 'b'), read: true, starred: false },
    { id: c, read: false, starred: false },
  ]);
});

it('keeps what was read all at once read for whom the move has brought, and changes nothing for who followed both', async () => {
  const { from, to } = await moved();
  const [brought, both] = [await made.newUser(), await made.newUser()];
  await made.save(from, [foundPost('a'), foundPost('b'), foundPost('c')]);
  for (const user of [brought, both]) {
    await made.follow(user, from);
    await made.follow(user, to);
  }
  await run(sql`UPDATE follows SET read_up_to = ${await idOf(from, 'b')} WHERE source_id = ${from}`);
  await run(sql`UPDATE follows SET created_at = '2025-01-01' WHERE source_id = ${to} AND user_id = ${both}`);
  await made.save(to, [foundPost('a'), foundPost('b'), foundPost('c')]);
  await hide(to);
  expect(
    await run(sql`SELECT user_id AS id, read_up_to AS "upTo" FROM follows WHERE source_id = ${to} ORDER BY 1`),
  ).toEqual([
    { id: brought, upTo: await idOf(to, 'b') },
    { id: both, upTo: '0' },
  ]);
});
