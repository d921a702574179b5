import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../test/harness/api.js';
import { testDatabase } from '../../test/harness/database.js';
import { users } from '../auth/users/users.table.js';
import { Following } from '../following/following.js';
import { FollowingModule } from '../following/following.module.js';
import { Events } from '../platform/events/events.js';
import { followersMoved } from './followers-moved.event.js';
import { followsChanged } from './follows-changed.event.js';
import { MovesStore } from './moves.store.js';
import { SourceViewsStore } from './source-views.store.js';

const db = testDatabase();
let api: Api;
let following: Following;
let moves: MovesStore;
beforeAll(async () => {
  api = await startApi({ databaseUrl: db.url, modules: [FollowingModule], config: { roles: new Set(['api']) } });
  following = api.app.get(Following);
  moves = api.app.get(MovesStore);
});
afterAll(() => api?.stop());

let made = 0;
const newUrl = () => {
  made += 1;
  return `https://example.org/moving/${made}`;
};
const feed = (externalId: string) => ({ type: 'rss', externalId });
const newUser = async () => {
  const [user] = await db.database.db.insert(users).values({}).returning();
  return user?.id ?? '';
};
const move = (from: string, to: string) =>
  db.database.transaction(async (tx) => (await moves.moveFollowers(tx, from, to))?.targetId);
const query = async (statement: ReturnType<typeof sql>) => (await db.database.db.execute(statement)).rows;
const followed = (user: string) =>
  query(sql`SELECT external_id AS url, folder, follows.title, max_delay_minutes AS delay, moved_to IS NOT NULL AS moved
    FROM follows JOIN sources ON sources.id = source_id JOIN fetch_states USING (id)
    WHERE user_id = ${user} ORDER BY follows.source_id`);
const counts = (...ids: string[]) =>
  query(sql`SELECT id, followers FROM sources
    WHERE id = ANY(${sql.param(ids)}::bigint[]) ORDER BY id`);

describe('a source that has moved', () => {
  it('has its followers at the other one, each once, with what they said about either', async () => {
    const [ann, bob, cid] = [await newUser(), await newUser(), await newUser()];
    const [a, b] = [newUrl(), newUrl()];
    const from = await following.follow(ann, { ...feed(a), folder: 'Old', title: 'Mine', maxDelayMinutes: 5 });
    await following.follow(bob, { ...feed(a), folder: 'News', title: 'Old name' });
    const to = await following.follow(bob, { ...feed(b), title: 'New name' });
    await following.follow(cid, feed(b));
    expect(await move(from, b)).toBe(to);
    const mine = { folder: 'Old', title: 'Mine', delay: 5 };
    expect(await followed(ann)).toEqual([
      { url: a, ...mine, moved: true },
      { url: b, ...mine, moved: false },
    ]);
    expect(await followed(bob)).toMatchObject([{}, { url: b, folder: 'News', title: 'New name', delay: null }]);
    expect(await followed(cid)).toMatchObject([{ url: b }]);
    expect(await counts(from, to)).toEqual([
      { id: from, followers: 0 },
      { id: to, followers: 3 },
    ]);
  });

  it('becomes a new source where there was none, and keeps nothing that would have it fetched', async () => {
    const [user, a, b] = [await newUser(), newUrl(), newUrl()];
    const from = await following.follow(user, feed(a));
    await query(sql`UPDATE fetch_states SET validators = '{"etag": "x"}', next_fetch_at = now() WHERE id = ${from}`);
    const to = await move(from, b);
    expect(to).not.toBe(from);
    expect(
      await query(sql`SELECT validators, next_fetch_at AS next, moved_to AS to FROM fetch_states WHERE id = ${from}`),
    ).toEqual([{ validators: {}, next: null, to }]);
    expect(await query(sql`SELECT last_fetch_at AS fetched, validators FROM fetch_states WHERE id = ${to}`)).toEqual([
      { fetched: null, validators: {} },
    ]);
  });

  it('is followed as what it has moved to, over several moves, and so are those before it', async () => {
    const [user, a, b, c] = [await newUser(), newUrl(), newUrl(), newUrl()];
    const first = await following.follow(user, feed(a));
    const second = (await move(first, b)) ?? '';
    const third = (await move(second, c)) ?? '';
    for (const url of [a, b, c]) expect(await following.follow(await newUser(), feed(url))).toBe(third);
    expect(await counts(first, second, third)).toMatchObject([{ followers: 0 }, { followers: 0 }, { followers: 4 }]);
  });

  it('comes back when the other one moves to it, and goes again', async () => {
    const [ann, bob, a, b] = [await newUser(), await newUser(), newUrl(), newUrl()];
    const first = await following.follow(ann, feed(a));
    const second = await following.follow(bob, feed(b));
    expect(await move(first, b)).toBe(second);
    expect(await move(second, a)).toBe(first);
    expect(await counts(first, second)).toMatchObject([{ followers: 2 }, { followers: 0 }]);
    expect(await following.follow(await newUser(), feed(b))).toBe(first);
    expect(await move(first, b)).toBe(second);
    expect(await counts(first, second)).toMatchObject([{ followers: 0 }, { followers: 3 }]);
  });

  it('cannot move to itself, nor twice', async () => {
    const [a, b] = [newUrl(), newUrl()];
    const id = await following.follow(await newUser(), feed(a));
    expect(await move(id, a)).toBeUndefined();
    expect(await move(id, b)).toBeDefined();
    expect(await move(id, newUrl())).toBeUndefined();
    expect(await move('999999999', b)).toBeUndefined();
  });

  it('is neither listed nor exported, and its id stands for the other one', async () => {
    const [user, a, b] = [await newUser(), newUrl(), newUrl()];
    const views = api.app.get(SourceViewsStore);
    const from = await following.follow(user, feed(a));
    const to = (await move(from, b)) ?? '';
    expect(await views.list(user, {}, { limit: 10 })).toMatchObject([{ source: { id: to } }]);
    expect(await views.listed(user)).toMatchObject([{ externalId: b }]);
    expect(await views.find(user, from)).toMatchObject({ source: { id: to } });
    expect(await following.change(user, from, { folder: 'Here' })).toBe(true);
    expect(await followed(user)).toMatchObject([{ folder: 'Here' }, { folder: 'Here' }]);
    expect(await following.unfollow(user, from)).toBe(true);
    expect(await followed(user)).toEqual([]);
    expect(await following.unfollow(user, from)).toBe(false);
    expect(await counts(from, to)).toMatchObject([{ followers: 0 }, { followers: 0 }]);
  });

  it('stays while somebody else holds the other one, and moves the next time', async () => {
    const [user, a, b] = [await newUser(), newUrl(), newUrl()];
    const [first, second] = [await following.follow(user, feed(a)), await following.follow(user, feed(b))];
    await db.database.transaction(async (tx) => {
      await tx.execute(sql`SELECT FROM fetch_states WHERE id = ${second} FOR UPDATE`);
      expect(await move(first, b)).toBeUndefined();
    });
    expect(await following.follow(user, feed(a))).toBe(first);
    expect(await move(first, b)).toBe(second);
  });

  it('loses nobody who follows it while it moves', async () => {
    const [a, b] = [newUrl(), newUrl()];
    const from = await following.follow(await newUser(), feed(a));
    const to = await following.follow(await newUser(), feed(b));
    const late = await Promise.all(Array.from({ length: 12 }, newUser));
    await Promise.all([move(from, b), ...late.map((user) => following.follow(user, feed(a)))]);
    const [{ moved }] = (await query(
      sql`SELECT moved_to IS NOT NULL AS moved FROM fetch_states WHERE id = ${from}`,
    )) as [{ moved: boolean }];
    if (!moved) await move(from, b);
    expect(await counts(from, to)).toMatchObject([{ followers: 0 }, { followers: 14 }]);
  });

  it('moves with ten thousand followers at once', async () => {
    const [a, b] = [newUrl(), newUrl()];
    const from = await following.follow(await newUser(), feed(a));
    await query(sql`WITH made AS (INSERT INTO users SELECT FROM generate_series(1, 10000) RETURNING id)
      INSERT INTO follows (user_id, source_id) SELECT id, ${from} FROM made`);
    const to = (await move(from, b)) ?? '';
    expect(await counts(from, to)).toMatchObject([{ followers: 0 }, { followers: 10_001 }]);
  });

  it.each([
    ['each follower of a few', 3, 3, 0],
    ['everybody at once of very many', 1_001, 0, 1],
  ])('reports %s', async (_, followers, each, all) => {
    const b = newUrl();
    const to = await following.follow(await newUser(), feed(b));
    const from = await following.follow(await newUser(), feed(newUrl()));
    await query(sql`DELETE FROM follows WHERE source_id = ${from}`);
    await query(sql`WITH made AS (INSERT INTO users SELECT FROM generate_series(1, ${followers}) RETURNING id)
      INSERT INTO follows (user_id, source_id) SELECT id, ${from} FROM made`);
    const events = api.app.get(Events);
    const marker = await newUser();
    const changed: string[] = [];
    const moved: unknown[] = [];
    const ends = [
      events.subscribe(followsChanged, ({ userId }) => changed.push(userId)),
      events.subscribe(followersMoved, (data) => moved.push(data)),
    ];
    await move(from, b);
    await events.publish(db.database.db, followsChanged, { userId: marker });
    await expect.poll(() => changed).toContain(marker);
    for (const end of ends) end();
    expect(changed).toHaveLength(each + 1);
    expect(moved).toEqual(Array(all).fill({ from, to }));
  });
});

describe('a source that answers again after it had moved', () => {
  it('is followed again by those who did', async () => {
    const [ann, bob, a, b] = [await newUser(), await newUser(), newUrl(), newUrl()];
    const from = await following.follow(ann, feed(a));
    const to = (await move(from, b)) ?? '';
    await db.database.transaction((tx) => moves.revive(tx, from));
    expect(await following.follow(bob, feed(a))).toBe(from);
    expect(await counts(from, to)).toMatchObject([{ followers: 2 }, { followers: 1 }]);
  });
});

describe('a source that takes the id that its account keeps', () => {
  const rename = (id: string, to: string) => db.database.transaction((tx) => moves.rename(tx, id, to));

  it('leaves its name to the next source that uses it', async () => {
    const [user, a, b] = [await newUser(), newUrl(), newUrl()];
    const id = await following.follow(user, feed(a));
    expect(await rename(id, b)).toEqual({ taken: false });
    expect(await following.follow(user, feed(b))).toBe(id);
    expect(await following.follow(user, feed(a))).not.toBe(id);
  });

  it('does not take the id of another one, and its transaction goes on', async () => {
    const [user, a, b] = [await newUser(), newUrl(), newUrl()];
    const [first] = [await following.follow(user, feed(a)), await following.follow(user, feed(b))];
    expect(await rename(first, b)).toEqual({ taken: true });
    expect(await query(sql`SELECT external_id AS id FROM sources WHERE id = ${first}`)).toEqual([{ id: a }]);
  });
});
