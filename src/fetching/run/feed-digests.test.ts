import { asc, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { newUser, stateOf } from '../../../test/fetching/demand-parts.js';
import { WorkerProcess } from '../../../test/fetching/worker-process.js';
import { testDatabase } from '../../../test/harness/database.js';
import { type FeedItem, FeedSite } from '../../../test/harness/feed-site.js';
import { startReader } from '../../../test/harness/reader.js';
import { users } from '../../auth/users/users.table.js';
import { Following } from '../../following/following.js';
import { posts } from '../../posts/posts.table.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import { feedDigests } from './feed-digests.table.js';

const MINUTE = 60_000;
const DAY = 86_400_000;
const db = testDatabase();

/** Creates a feed that is fetched on request. */
async function followedFeed() {
  const { app, clock } = await startReader(db.url, { roles: new Set(['api']) });
  const site = await FeedSite.start();
  const worker = new WorkerProcess({ app });
  const follow = async (path: string) => {
    const user = await newUser(db.database);
    await db.database.db.update(users).set({ active: true, lastSeenAt: clock.now() }).where(eq(users.id, user));
    return app.get(Following).follow(user, { type: 'rss', externalId: site.url(path) });
  };
  return { site, clock, worker, follow };
}

const item = (name: string, more: Partial<FeedItem> = {}): FeedItem => ({ guid: name, title: name, ...more });

/** Returns the time of the last complete read, if its digests are used. */
async function readAt(sourceId: string): Promise<number | undefined> {
  const { memo = '{}' } = (await stateOf(db.database, sourceId)).validators;
  return JSON.parse(memo).readAt;
}

/** Returns posts in the order of their ids. */
async function storedPosts(sourceId: string) {
  const { externalId, title, url, content, author, publishedAt, foundAt } = posts;
  return db.database.db
    .select({ externalId, title, url, content, author, publishedAt, foundAt })
    .from(posts)
    .where(eq(posts.sourceId, sourceId))
    .orderBy(asc(posts.id));
}

const keptDigests = (sourceId: string) => db.database.db.select().from(feedDigests).where(eq(feedDigests.id, sourceId));

describe('a feed of which only new items are read', () => {
  it('has the same posts in the end as one that is read as a whole each time', async () => {
    const { site, clock, worker, follow } = await followedFeed();
    const [inPart, whole] = [await follow('/part'), await follow('/whole')];
    const begun = clock.now().getTime();
    const dated = item('dated', { publishedAt: new Date(begun - DAY), content: '<p>x</p>' });
    const [a, b, c, d] = [item('a'), item('b'), item('c'), item('d')];
    const versions = [
      [a, b, dated],
      [c, a, d, b, dated],
      [c, { ...a, title: 'A' }, d, b, { ...dated, content: '<p>y</p>' }],
      [b, c, { ...a, title: 'A' }],
      [b, item('e', { publishedAt: new Date(begun - 2 * DAY) }), c, item('f'), { ...a, title: 'A' }, d],
    ];
    for (const version of versions) {
      for (const path of ['/part', '/whole']) site.show(path, version);
      await db.database.db.update(fetchStates).set({ validators: {} }).where(eq(fetchStates.id, whole));
      await worker.fetch(inPart);
      await worker.fetch(whole);
      clock.advance(MINUTE);
    }
    expect(await storedPosts(inPart)).toEqual(await storedPosts(whole));
    expect(await readAt(inPart)).toBe(begun);
  });

  it('is remembered together with its posts, or not at all', async () => {
    const { site, worker, follow } = await followedFeed();
    const id = await follow('/feed');
    site.publish('/feed', item('a'), item('b'));
    await worker.putToWork(id);
    await expect(worker.run(id, 'in the commit')).rejects.toThrow();
    expect(await keptDigests(id)).toEqual([]);
    await worker.run(id);
    expect(await keptDigests(id)).toHaveLength(1);
  });
});
