import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FetchingModule } from '../../src/fetching/fetching.module.js';
import { FollowingModule } from '../../src/following/following.module.js';
import { PostsModule } from '../../src/posts/posts.module.js';
import { type Api, startApi } from '../harness/api.js';
import { testDatabase } from '../harness/database.js';

const db = testDatabase();
let api: Api;
beforeAll(async () => {
  api = await startApi({
    databaseUrl: db.url,
    modules: [FollowingModule, PostsModule, FetchingModule],
    config: { roles: new Set(['api']), requestsPerMinute: 100_000 },
  });
});
afterAll(() => api?.stop());

const send = async (user: string, method: 'POST' | 'DELETE', path: string, payload?: object) => {
  const url = `/api/v1/sources${path}`;
  const headers = { 'x-millrace-user': user };
  const answer = await api.send({ method, url, key: api.adminKey, headers, ...(payload && { payload }) });
  if (answer.statusCode >= 500) throw new Error(`${method} ${path} answered ${answer.body}`);
  return answer;
};
const feed = (name: number) => ({ type: 'rss', externalId: `https://feeds.example/${name}` });
const opml = (names: number[]) =>
  `<opml><body>${names.map((name) => `<outline xmlUrl="${feed(name).externalId}"/>`).join('')}</body></opml>`;

const wrongCounters = async () => {
  const { rows } = await db.database.db.execute(sql`
    SELECT sources.id, sources.followers, state.active_followers FROM sources
    JOIN fetch_states AS state USING (id)
    LEFT JOIN (follows JOIN users ON users.id = follows.user_id) ON follows.source_id = sources.id
    GROUP BY sources.id, state.id
    HAVING sources.followers <> count(users.id) OR state.active_followers <> count(users.id) FILTER (WHERE users.active)`);
  return rows;
};
const isActive = async () =>
  (await db.database.db.execute(sql`SELECT bool_and(active) AS all FROM users WHERE external_id IS NOT NULL`)).rows[0]
    ?.all;

it('are exact after users come back, follow, unfollow and bring lists, all at once', async () => {
  const crowd = Array.from({ length: 6 }, (_, at) => `user-${at}`);
  for (const round of [1, 2, 3]) {
    await db.database.db.execute(sql`UPDATE users SET active = false, last_seen_at = NULL`);
    await db.database.db.execute(sql`UPDATE fetch_states SET active_followers = 0`);
    api.clock.advance(3_600_000);
    await Promise.all(
      crowd.flatMap((user, at) => [
        send(user, 'POST', '/opml', { opml: opml([1, 2, 3, 4, 5, 6, 7, 8].map((name) => (name * (at + 1)) % 11)) }),
        ...Array.from({ length: 6 }, async (_, turn) => {
          const { id } = (await send(user, 'POST', '/follow', feed((at + turn) % 5))).json();
          if ((at + turn + round) % 2) await send(user, 'DELETE', `/${id}/follow`);
        }),
      ]),
    );
    await expect.poll(isActive).toBe(true);
    expect(await wrongCounters()).toEqual([]);
  }
});
