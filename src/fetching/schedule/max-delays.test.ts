import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { demandParts, fetched, newFeed, newUser, stateOf, wrongCounters } from '../../../test/fetching/demand-parts.js';
import { testDatabase } from '../../../test/harness/database.js';
import { users } from '../../auth/users/users.table.js';

const HOUR = 3_600_000;
const db = testDatabase();

/** Creates an active user who follows a feed with this maximum delay. */
async function follower(parts: ReturnType<typeof demandParts>, feed: ReturnType<typeof newFeed>, minutes?: number) {
  const user = await newUser(db.database);
  await parts.seen(user);
  const id = await parts.following.follow(user, { ...feed, maxDelayMinutes: minutes });
  return { user, id };
}

const maxDelayOf = async (id: string) => (await stateOf(db.database, id)).maxDelaySeconds;

describe('the maximum delay of a source', () => {
  it('is the shortest that one of its active followers has, as they come and go', async () => {
    const parts = demandParts(db.database);
    const feed = newFeed();
    const { id } = await follower(parts, feed);
    expect(await maxDelayOf(id)).toBeNull();
    const half = await follower(parts, feed, 30);
    const quarter = await follower(parts, feed, 15);
    expect(await maxDelayOf(id)).toBe(900);
    await parts.following.unfollow(quarter.user, id);
    expect(await maxDelayOf(id)).toBe(1_800);
    await parts.following.change(half.user, id, { maxDelayMinutes: null });
    expect(await maxDelayOf(id)).toBeNull();
  });

  it('is not that of a silent follower, until they come back', async () => {
    const parts = demandParts(db.database);
    const feed = newFeed();
    const { id, user } = await follower(parts, feed, 10);
    await db.database.db
      .update(users)
      .set({ lastSeenAt: new Date(0) })
      .where(eq(users.id, user));
    const other = await newUser(db.database);
    await parts.following.follow(other, { ...feed, maxDelayMinutes: 5 });
    expect(await maxDelayOf(id)).toBe(600);
    await parts.recount.run();
    expect(await maxDelayOf(id)).toBeNull();
    await parts.seen(other);
    expect(await maxDelayOf(id)).toBe(300);
  });

  it('is put right by a recount where it is wrong', async () => {
    const parts = demandParts(db.database);
    const { id } = await follower(parts, newFeed(), 20);
    await fetched(db.database, [id], { maxDelaySeconds: 60, lastFetchAt: parts.clock.now() });
    expect(await wrongCounters(db.database)).toMatchObject([{ id }]);
    await parts.recount.run();
    expect(await maxDelayOf(id)).toBe(1_200);
    expect(await wrongCounters(db.database)).toEqual([]);
  });

  it('brings the next fetch forward, and puts it off again when it is taken back', async () => {
    const parts = demandParts(db.database);
    const { id, user } = await follower(parts, newFeed());
    const lastFetchAt = new Date(parts.clock.now().getTime() - HOUR / 6);
    await fetched(db.database, [id], { lastFetchAt, nextFetchAt: null, intervalSeconds: null });
    const dueIn = async () => {
      const { nextFetchAt } = await stateOf(db.database, id);
      return (nextFetchAt?.getTime() ?? 0) - lastFetchAt.getTime();
    };
    await parts.following.change(user, id, { maxDelayMinutes: 30 });
    expect(await dueIn()).toBe(HOUR / 2);
    await parts.following.change(user, id, { maxDelayMinutes: null });
    expect(await dueIn()).toBe(2 * HOUR);
    await parts.following.change(user, id, { maxDelayMinutes: 5 });
    expect(await stateOf(db.database, id)).toMatchObject({ jobState: 'waiting', maxDelaySeconds: 300 });
  });

  it('stays with a user whose source became part of another', async () => {
    const parts = demandParts(db.database);
    const [kept, gone] = [await follower(parts, newFeed()), await follower(parts, newFeed(), 25)];
    await db.database.db.execute(sql`UPDATE follows SET source_id = ${kept.id} WHERE source_id = ${gone.id}`);
    await db.database.transaction((tx) => parts.followers.merged(tx, kept.id));
    expect(await maxDelayOf(kept.id)).toBe(1_500);
  });
});
