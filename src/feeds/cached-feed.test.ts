import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../test/feeds/eventually.js';
import { Reader, startFeeds } from '../../test/feeds/reading.js';
import type { Api } from '../../test/harness/api.js';
import { testDatabase } from '../../test/harness/database.js';
import { redisUrl } from '../../test/harness/redis.js';
import { foundPost, postsOn } from '../../test/posts/made-posts.js';

/** Two processes on one database: a change in one must invalidate what the other has cached. */
describe.each([
  ['without Redis', undefined],
  ['with Redis', redisUrl()],
])('cached feeds, %s,', (_, redis) => {
  const given = testDatabase();
  let made: ReturnType<typeof postsOn>;
  let one: Api;
  let other: Api;
  beforeAll(async () => {
    made = postsOn(given.database);
    one = await startFeeds(given.url, { redisUrl: redis });
    other = await startFeeds(given.url, { redisUrl: redis });
  });
  afterAll(async () => {
    await Promise.all([one.stop(), other.stop()]);
    await made.sanitiser.onApplicationShutdown();
  });

  /** Reads a first page in both processes, so that both have it cached. */
  async function warmReader() {
    const here = new Reader(one);
    const there = here.on(other);
    const source = await here.follow();
    await made.save(source, [foundPost('first')]);
    const readBoth = async (path?: string) => [await here.posts(path), await there.posts(path)];
    for (let time = 0; time < 3; time++)
      await eventually(async () => expect(await readBoth()).toEqual([['first'], ['first']]));
    return { here, there, source, readBoth };
  }

  it('are read from the cache while nothing changes', async () => {
    const { here, source } = await warmReader();
    let title = 0;
    await eventually(async () => {
      await here.page();
      // Written past the stores, so that no event is sent.
      await given.database.db.execute(sql`UPDATE posts SET title = ${String(++title)} WHERE source_id = ${source}`);
      expect((await here.page()).items[0]?.title).not.toBe(String(title));
    });
  });

  it('show new posts in every process, of all sources and of the one', async () => {
    const { source, readBoth } = await warmReader();
    await readBoth(`/sources/${source}/posts`);
    await made.save(source, [foundPost('second')]);
    const both = ['second', 'first'];
    await eventually(async () => expect(await readBoth()).toEqual([both, both]));
    await eventually(async () => expect(await readBoth(`/sources/${source}/posts`)).toEqual([both, both]));
  });

  it('show a changed post', async () => {
    const { here, there, source } = await warmReader();
    await made.save(source, [foundPost('first', { title: 'Corrected' })]);
    for (const reader of [here, there])
      await eventually(async () => expect((await reader.page()).items[0]?.title).toBe('Corrected'));
  });

  it('follow what the reader follows', async () => {
    const { here, there, source, readBoth } = await warmReader();
    const added = await there.follow();
    await made.save(added, [foundPost('of another')]);
    await eventually(async () =>
      expect(await readBoth()).toEqual([
        expect.arrayContaining(['of another']),
        expect.arrayContaining(['of another']),
      ]),
    );
    await here.send('DELETE', `/sources/${source}/follow`);
    await eventually(async () => expect(await readBoth()).toEqual([['of another'], ['of another']]));
    expect((await here.send('GET', `/sources/${source}/posts`)).statusCode).toBe(404);
  });

  it('show the reader their own marks at once', async () => {
    const { here, there } = await warmReader();
    const { items } = await here.page();
    await here.send('PUT', `/posts/${items[0]?.id}/read`);
    await here.send('PUT', `/posts/${items[0]?.id}/star`);
    expect((await there.page()).items[0]).toMatchObject({ read: true, starred: true });
  });

  it('do not outlive a break in the news', async () => {
    const { here, there, source } = await warmReader();
    await given.database.transaction(async (db) => {
      await db.execute(sql`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'millrace-events' AND datname = current_database()`);
      // Events sent now reach no process.
      await db.execute(sql`UPDATE posts SET title = 'changed in the break' WHERE source_id = ${source}`);
    });
    for (const reader of [here, there]) {
      await eventually(async () => expect((await reader.page()).items[0]?.title).toBe('changed in the break'));
    }
  });
});
