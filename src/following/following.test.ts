import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../test/harness/api.js';
import { testDatabase } from '../../test/harness/database.js';
import { users } from '../auth/users/users.table.js';
import { Events } from '../platform/events/events.js';
import { QUEUE_BACKEND, type QueueBackend } from '../platform/jobs/queue-backend.js';
import { followsChanged } from '../sources/follows-changed.event.js';
import { Following } from './following.js';
import { FollowingModule } from './following.module.js';

const db = testDatabase();
let api: Api;
let following: Following;
beforeAll(async () => {
  api = await startApi({ databaseUrl: db.url, modules: [FollowingModule], config: { roles: new Set(['api']) } });
  following = api.app.get(Following);
});
afterAll(() => api?.stop());

let made = 0;
const newFeed = () => {
  made += 1;
  return { type: 'rss', externalId: `https://example.org/${made}` };
};
const newUser = async () => {
  const [user] = await db.database.db.insert(users).values({ active: true }).returning();
  return user?.id ?? '';
};
const newUsers = (count: number) => Promise.all(Array.from({ length: count }, newUser));
const rowsOf = async (id: string) => {
  const { rows } = await db.database.db.execute(sql`
    SELECT followers, active_followers AS active, job_state AS state, next_fetch_at AS next,
      (SELECT count(*)::int FROM follows WHERE source_id = sources.id) AS follows
    FROM sources JOIN fetch_states USING (id) WHERE id = ${id}`);
  return rows;
};

describe('a source', () => {
  it('is created with its first follower, and enqueued to be fetched', async () => {
    const id = await following.follow(await newUser(), newFeed());
    expect(await rowsOf(id)).toMatchObject([{ followers: 1, active: 1, follows: 1, state: 'waiting' }]);
    const jobs = await api.app.get<QueueBackend>(QUEUE_BACKEND).queue('fetch-rss').getJobs();
    expect(jobs.map(({ data }) => data.subject)).toContain(id);
  });

  it('is one, however many users follow it first at the same moment', async () => {
    const feed = newFeed();
    const ids = await Promise.all((await newUsers(20)).map((user) => following.follow(user, feed)));
    expect(new Set(ids).size).toBe(1);
    expect(await rowsOf(ids[0] ?? '')).toMatchObject([{ followers: 20, active: 20, follows: 20 }]);
  });

  it('stays when its last follower goes', async () => {
    const [user, feed] = [await newUser(), newFeed()];
    const id = await following.follow(user, feed);
    expect(await following.unfollow(user, id)).toBe(true);
    expect(await following.unfollow(user, id)).toBe(false);
    expect(await rowsOf(id)).toMatchObject([{ followers: 0, active: 0, follows: 0 }]);
    expect(await following.follow(user, feed)).toBe(id);
  });

  it('counts a user once who follows it fifty times at once', async () => {
    const [user, feed] = [await newUser(), newFeed()];
    const ids = await Promise.all(Array.from({ length: 50 }, () => following.follow(user, feed)));
    expect(await rowsOf(ids[0] ?? '')).toMatchObject([{ followers: 1, active: 1, follows: 1 }]);
  });

  it('has exact counters after a storm of follows and unfollows', async () => {
    const feeds = [newFeed(), newFeed(), newFeed()];
    const crowd = await newUsers(8);
    const storm = crowd.flatMap((user, at) =>
      Array.from({ length: 12 }, async (_, turn) => {
        const feed = feeds[(at + turn) % 3] ?? newFeed();
        const id = await following.follow(user, feed);
        if (turn % 2 === at % 2) await following.unfollow(user, id);
        return id;
      }),
    );
    for (const id of new Set(await Promise.all(storm))) {
      const [row] = await rowsOf(id);
      expect(row).toMatchObject({ followers: row?.follows, active: row?.follows });
    }
  });
});

describe('many at once', () => {
  it('are followed by users whose lists overlap in any order', async () => {
    const feeds = Array.from({ length: 1_200 }, newFeed);
    const lists = [feeds, feeds.toReversed(), [...feeds.slice(600), ...feeds.slice(0, 600)]];
    const crowd = await newUsers(3);
    const all = await Promise.all(crowd.map((user, at) => following.followAll(user, lists[at] ?? [])));
    expect(all.map(({ newIds }) => newIds.length)).toEqual([1_200, 1_200, 1_200]);
    const ids = [...(all[0]?.sourceIds.values() ?? [])];
    const { rows } = await db.database.db.execute(sql`
      SELECT followers, count(*)::int AS sources FROM sources WHERE id = ANY(${sql.param(ids)}::bigint[]) GROUP BY 1`);
    expect(rows).toEqual([{ followers: 3, sources: 1_200 }]);
  });

  it('leave a folder and a title alone that the user has given before', async () => {
    const [user, feed] = [await newUser(), newFeed()];
    const id = await following.follow(user, { ...feed, folder: 'Mine', title: 'My own' });
    const { newIds } = await following.followAll(user, [{ ...feed, folder: 'Theirs', title: 'Theirs' }]);
    expect(newIds).toEqual([]);
    const { rows } = await db.database.db.execute(sql`SELECT folder, title FROM follows WHERE source_id = ${id}`);
    expect(rows).toEqual([{ folder: 'Mine', title: 'My own' }]);
  });
});

it('tells once that a user follows something new or no more, and nothing when nothing changed', async () => {
  const [user, feed] = [await newUser(), newFeed()];
  const marker = await newUser();
  const told: string[] = [];
  const events = api.app.get(Events);
  const end = events.subscribe(followsChanged, ({ userId }) => told.push(userId));
  const id = await following.follow(user, feed);
  await following.follow(user, feed);
  await following.unfollow(user, id);
  await following.unfollow(user, id);
  await events.publish(db.database.db, followsChanged, { userId: marker });
  await expect.poll(() => told).toContain(marker);
  end();
  expect(told).toEqual([user, user, marker]);
});
