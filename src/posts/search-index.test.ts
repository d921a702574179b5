import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { testDatabase } from '../../test/harness/database.js';
import { foundPost, postsOn } from '../../test/posts/made-posts.js';
import { SearchIndex } from './search-index.js';

const MINUTE_MS = 60_000;

const given = testDatabase();
let made: ReturnType<typeof postsOn>;
beforeAll(() => {
  made = postsOn(given.database);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => made.sanitiser.onApplicationShutdown());

const countOf = async (table: 'post_words' | 'unindexed_posts') =>
  (await given.database.db.execute(sql`SELECT FROM ${sql.identifier(table)}`)).rowCount;

it('stores the words of few new posts at once, in the work that the program repeats', async () => {
  const every = vi.fn();
  const index = new SearchIndex(given.database, { every } as never);
  index.onApplicationBootstrap();
  await made.save(await made.newSource(), [foundPost('a'), foundPost('b')]);
  expect(await countOf('unindexed_posts')).toBe(2);
  await every.mock.calls[0]?.[2]();
  expect([await countOf('unindexed_posts'), await countOf('post_words')]).toEqual([0, 2]);
});

it('lets the words of many posts wait, but not for long', async () => {
  const index = new SearchIndex(given.database, undefined as never);
  await given.database.db.execute(
    sql`INSERT INTO unindexed_posts (id, text) SELECT 1000000 + n, 'a word' FROM generate_series(1, 3000) n`,
  );
  await index.run();
  expect(await countOf('unindexed_posts')).toBe(3_000);
  const now = performance.now() + MINUTE_MS;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  await index.run();
  expect(await countOf('unindexed_posts')).toBe(0);
});
