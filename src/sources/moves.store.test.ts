import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../test/harness/api.js';
import { testDatabase } from '../../test/harness/database.js';
import { PlainSourcesModule } from '../../test/sources/plain-sources.js';
import { users } from '../auth/users.table.js';
import { Events } from '../platform/events/events.js';
import { Following } from './following.js';
import { followsChanged } from './follows-changed.event.js';
import { MovesStore } from './moves.store.js';
import { SourcesModule } from './sources.module.js';
import { sourcesMerged } from './sources-merged.event.js';

const db = testDatabase();
let api: Api;
let following: Following;
let moves: MovesStore;
beforeAll(async () => {
  api = await startApi({ databaseUrl: db.url, modules: [SourcesModule, PlainSourcesModule] });
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
const rename = (id: string, to: string) => db.database.transaction((tx) => moves.rename(tx, id, to));
const merge = (from: string, into: string) => db.database.transaction((tx) => moves.mergeFollows(tx, from, into));
const query = async (statement: ReturnType<typeof sql>) => (await db.database.db.execute(statement)).rows;

describe('a source that moves', () => {
  it('is found by its new id and by every id it had', async () => {
    const [user, a, b, c] = [await newUser(), newUrl(), newUrl(), newUrl()];
    const id = await following.follow(user, feed(a));
    expect(await rename(id, b)).toEqual({});
    expect(await rename(id, c)).toEqual({});
    for (const url of [a, b, c]) expect(await following.follow(await newUser(), feed(url))).toBe(id);
    expect(await query(sql`SELECT external_id, followers FROM sources WHERE id = ${id}`)).toEqual([
      { external_id: c, followers: 4 },
    ]);
  });

  it('can move back to where it was', async () => {
    const [user, a, b] = [await newUser(), newUrl(), newUrl()];
    const id = await following.follow(user, feed(a));
    await rename(id, b);
    expect(await rename(id, a)).toEqual({});
    expect(await query(sql`SELECT external_id FROM source_aliases WHERE source_id = ${id}`)).toEqual([
      { external_id: b },
    ]);
    expect(await following.follow(user, feed(b))).toBe(id);
    expect(await rename(id, a)).toEqual({});
  });

  it('does not take the id of another, which it is told', async () => {
    const [user, a, b] = [await newUser(), newUrl(), newUrl()];
    const [first, second] = [await following.follow(user, feed(a)), await following.follow(user, feed(b))];
    expect(await rename(first, b)).toEqual({ takenBy: second });
    expect(await query(sql`SELECT external_id FROM sources WHERE id = ${first}`)).toEqual([{ external_id: a }]);
  });

  it('is told of one that is made under its new id at the same moment, and its transaction goes on', async () => {
    const [user, a, b] = [await newUser(), newUrl(), newUrl()];
    const first = await following.follow(user, feed(a));
    let renaming: Promise<{ takenBy?: string | undefined }> | undefined;
    const second = await db.database.transaction(async (tx) => {
      const { rows } = await tx.execute<{ id: string }>(
        sql`INSERT INTO sources (type, external_id) VALUES ('rss', ${b}) RETURNING id`,
      );
      const id = rows[0]?.id ?? '';
      await tx.execute(sql`INSERT INTO fetch_states (id, type, job_state) VALUES (${id}, 'rss', 'idle')`);
      renaming = db.database.transaction(async (other) => {
        const result = await moves.rename(other, first, b);
        await other.execute(sql`SELECT 1`);
        return result;
      });
      await expect
        .poll(() =>
          query(sql`SELECT count(*)::int AS waiting FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'`),
        )
        .toEqual([{ waiting: 1 }]);
      return id;
    });
    expect(await renaming).toEqual({ takenBy: second });
  });

  it('stays as it is while somebody else holds the one that has its new id', async () => {
    const [user, a, b] = [await newUser(), newUrl(), newUrl()];
    const [first, second] = [await following.follow(user, feed(a)), await following.follow(user, feed(b))];
    await db.database.transaction(async (tx) => {
      await tx.execute(sql`SELECT FROM fetch_states WHERE id = ${second} FOR UPDATE`);
      expect(await rename(first, b)).toEqual({});
    });
    expect(await following.follow(user, feed(a))).toBe(first);
    expect(await rename(first, b)).toEqual({ takenBy: second });
  });

  it('takes over an id that another had before', async () => {
    const [user, a, b, c] = [await newUser(), newUrl(), newUrl(), newUrl()];
    const left = await following.follow(user, feed(b));
    await rename(left, c);
    const id = await following.follow(user, feed(a));
    expect(await rename(id, b)).toEqual({});
    expect(await following.follow(user, feed(b))).toBe(id);
    expect(await following.follow(user, feed(c))).toBe(left);
  });
});

describe('two sources that become one', () => {
  it('keep every follower once, with what they said about either', async () => {
    const [ann, bob, cid] = [await newUser(), await newUser(), await newUser()];
    const [a, b] = [newUrl(), newUrl()];
    const from = await following.follow(ann, { ...feed(a), folder: 'Old', title: 'Mine' });
    await following.follow(bob, { ...feed(a), folder: 'News', title: 'Old name' });
    const into = await following.follow(bob, { ...feed(b), title: 'New name' });
    await following.follow(cid, feed(b));
    await query(sql`UPDATE follows SET read_up_to = source_id * 1000`);
    await merge(from, into);

    expect(
      await query(sql`SELECT user_id AS user, folder, title, read_up_to AS read FROM follows
        WHERE source_id = ${into} ORDER BY user_id`),
    ).toEqual([
      { user: ann, folder: 'Old', title: 'Mine', read: `${from}000` },
      { user: bob, folder: 'News', title: 'New name', read: `${into}000` },
      { user: cid, folder: null, title: null, read: `${into}000` },
    ]);
    expect(
      await query(sql`SELECT followers, active_followers AS active FROM sources JOIN fetch_states USING (id)
        WHERE id IN (${from}, ${into})`),
    ).toEqual([{ followers: 3, active: 3 }]);
  });

  it('are found by every id that either had', async () => {
    const [user, a, b, c] = [await newUser(), newUrl(), newUrl(), newUrl()];
    const from = await following.follow(user, feed(a));
    await rename(from, b);
    const into = await following.follow(user, feed(c));
    await merge(from, into);
    for (const url of [a, b, c]) expect(await following.follow(await newUser(), feed(url))).toBe(into);
  });

  it('lose nobody who follows the first while it is merged', async () => {
    const [a, b] = [newUrl(), newUrl()];
    const from = await following.follow(await newUser(), feed(a));
    const into = await following.follow(await newUser(), feed(b));
    const late = await Promise.all(Array.from({ length: 12 }, newUser));
    const [, ...ids] = await Promise.all([merge(from, into), ...late.map((user) => following.follow(user, feed(a)))]);
    expect(
      await query(sql`SELECT followers, (SELECT count(*)::int FROM follows WHERE source_id = sources.id) AS follows
        FROM sources WHERE id IN (${from}, ${into})`),
    ).toEqual([{ followers: 14, follows: 14 }]);
    expect(ids).toHaveLength(12);
  });

  it('fail to be merged when one of them is gone', async () => {
    const id = await following.follow(await newUser(), feed(newUrl()));
    await expect(merge(id, '999999999')).rejects.toThrow('not there');
    await expect(merge('999999999', id)).rejects.toThrow('not there');
  });

  it.each([
    ['each follower of a few', 3, 3, 0],
    ['everybody at once of very many', 1_001, 0, 1],
  ])('tell %s', async (_, followers, each, all) => {
    const into = await following.follow(await newUser(), feed(newUrl()));
    const from = await following.follow(await newUser(), feed(newUrl()));
    await query(sql`DELETE FROM follows WHERE source_id = ${from}`);
    await query(sql`WITH made AS (INSERT INTO users SELECT FROM generate_series(1, ${followers}) RETURNING id)
      INSERT INTO follows (user_id, source_id) SELECT id, ${from} FROM made`);
    const events = api.app.get(Events);
    const marker = await newUser();
    const told: string[] = [];
    const merged: unknown[] = [];
    const ends = [
      events.subscribe(followsChanged, ({ userId }) => told.push(userId)),
      events.subscribe(sourcesMerged, (data) => merged.push(data)),
    ];
    await merge(from, into);
    await events.publish(db.database.db, followsChanged, { userId: marker });
    await expect.poll(() => told).toContain(marker);
    for (const end of ends) end();
    expect(told).toHaveLength(each + 1);
    expect(merged).toEqual(Array(all).fill({ from, into }));
  });
});
