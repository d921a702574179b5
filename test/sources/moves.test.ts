import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { users } from '../../src/auth/users/users.table.js';
import { FeedsModule } from '../../src/feeds/feeds.module.js';
import { ReadAllStore } from '../../src/feeds/read-all.store.js';
import { FetchingModule } from '../../src/fetching/fetching.module.js';
import { SourceMoves } from '../../src/fetching/run/source-moves.js';
import { Following } from '../../src/following/following.js';
import { FollowingModule } from '../../src/following/following.module.js';
import { MarksStore } from '../../src/posts/marks.store.js';
import { PostsModule } from '../../src/posts/posts.module.js';
import { PostsStore } from '../../src/posts/posts.store.js';
import { keyOf } from '../../src/sources/sources.store.js';
import { type Api, startApi } from '../harness/api.js';
import { testDatabase } from '../harness/database.js';
import { foundPost } from '../posts/made-posts.js';

const ROUNDS = 15;

const db = testDatabase();
let api: Api;
beforeAll(async () => {
  const modules = [FollowingModule, PostsModule, FetchingModule, FeedsModule];
  api = await startApi({ databaseUrl: db.url, modules, config: { roles: new Set(['api']) } });
});
afterAll(() => api?.stop());

let made = 0;
const newFeed = () => ({ type: 'rss', externalId: `https://example.org/moving/${++made}` });
const newUser = async () => (await db.database.db.insert(users).values({ active: true }).returning())[0]?.id ?? '';
const rows = async (query: ReturnType<typeof sql>) => (await db.database.db.execute(query)).rows;

async function save(sourceId: string, externalIds: string[]): Promise<string[]> {
  const posts = api.app.get(PostsStore);
  const found = externalIds.map((id) => foundPost(id));
  const prepared = await posts.prepare(sourceId, found, new Date());
  return (await db.database.transaction((tx) => posts.save(tx, prepared))).added;
}

/** As a fetch does that finds its source moved: it holds the row of its own source from the beginning. */
async function move(sourceId: string, externalId: string): Promise<void> {
  const afterCommit = await db.database.transaction(async (tx) => {
    await tx.execute(sql`UPDATE fetch_states SET job_state = 'done' WHERE id = ${sourceId}`);
    return api.app.get(SourceMoves, { strict: false }).move(tx, sourceId, externalId);
  });
  await afterCommit?.();
}

it('go well while their followers follow, mark and read all at once, and leave the counters exact', async () => {
  const [following, marks, readAll] = [api.app.get(Following), api.app.get(MarksStore), api.app.get(ReadAllStore)];
  const crowd = await Promise.all([newUser(), newUser(), newUser()]);
  for (let round = 0; round < ROUNDS; round++) {
    const feeds = [newFeed(), newFeed(), newFeed()] as const;
    const followed = await Promise.all(crowd.map((user) => following.followAll(user, [...feeds])));
    const [first = '', second = '', third = ''] = feeds.map((feed) => followed[0]?.sourceIds.get(keyOf(feed)));
    const postIds = [...(await save(first, ['a', 'b', 'c'])), ...(await save(second, ['b', 'c', 'd']))];
    await rows(sql`INSERT INTO marks (user_id, post_id, read) SELECT users.id, posts.id, false FROM users, posts
      WHERE posts.id = ANY(${sql.param(postIds)}::bigint[])`);
    await Promise.all([
      move(first, feeds[1].externalId),
      move(second, feeds[2].externalId),
      move(third, newFeed().externalId),
      ...crowd.flatMap((user) => [
        readAll.readAll(user, {}),
        following.followAll(user, [newFeed(), ...feeds].toReversed()),
        ...postIds.flatMap((id) => [marks.setRead(user, [id], true), marks.setStarred(user, [id], false)]),
      ]),
    ]);
  }
  expect(
    await rows(sql`SELECT id, followers, active_followers FROM sources JOIN fetch_states USING (id), LATERAL (
      SELECT count(*) AS counted FROM follows WHERE source_id = id AND moved_to IS NULL) AS counts
      WHERE followers <> counted OR active_followers <> counted`),
  ).toEqual([]);
}, 180_000);
