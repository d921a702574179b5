import { describe, expect, it } from 'vitest';
import { demandParts, fetched, newFeed, newUser, stateOf } from '../../../test/fetching/demand-parts.js';
import { testDatabase } from '../../../test/harness/database.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const db = testDatabase();

/** A user who was just seen. */
async function activeUser(parts: ReturnType<typeof demandParts>): Promise<string> {
  const user = await newUser(db.database);
  await parts.seen(user);
  return user;
}
const minutesFrom = (now: Date, at: Date | null) => at && (at.getTime() - now.getTime()) / MINUTE;

describe('a follow', () => {
  it('of a new source by an active user is counted, and the source is fetched at once', async () => {
    const parts = demandParts(db.database);
    const id = await parts.following.follow(await activeUser(parts), newFeed());
    expect(await stateOf(db.database, id)).toMatchObject({
      activeFollowers: 1,
      nextFetchAt: parts.clock.now(),
      jobState: 'waiting',
      jobPriority: 0,
    });
    expect(await parts.queued()).toContain(id);
  });

  it('in a first request, before the user counts as seen, still has the new source fetched', async () => {
    const parts = demandParts(db.database);
    const user = await newUser(db.database);
    const id = await parts.following.follow(user, newFeed());
    expect(await stateOf(db.database, id)).toMatchObject({ activeFollowers: 0, jobState: 'waiting' });
    expect(await parts.queued()).toContain(id);
    await parts.seen(user);
    expect(await stateOf(db.database, id)).toMatchObject({ activeFollowers: 1, jobState: 'waiting', jobRun: 2 });
  });

  it('gives a source that had gone another chance', async () => {
    const parts = demandParts(db.database);
    const feed = newFeed();
    const id = await parts.following.follow(await activeUser(parts), feed);
    const { clock } = parts;
    await fetched(db.database, [id], { lastFetchAt: clock.now(), goneAt: clock.now(), nextFetchAt: null });
    await parts.following.follow(await activeUser(parts), feed);
    expect(await stateOf(db.database, id)).toMatchObject({ jobState: 'waiting', jobPriority: 0 });
  });

  it('brings the next fetch forward when it lifts the source into a shorter interval', async () => {
    const parts = demandParts(db.database);
    const { clock, following } = parts;
    const feed = newFeed();
    const id = await following.follow(await activeUser(parts), feed);
    const nextFetchAt = new Date(clock.now().getTime() + 90 * MINUTE);
    const lastFetchAt = new Date(clock.now().getTime() - 30 * MINUTE);
    await fetched(db.database, [id], { lastFetchAt, nextFetchAt, intervalSeconds: 7_200 });
    await following.follow(await activeUser(parts), feed);
    const state = await stateOf(db.database, id);
    expect(state).toMatchObject({ activeFollowers: 2, intervalSeconds: 3_600, jobState: 'done' });
    expect(minutesFrom(clock.now(), state.nextFetchAt)).toBe(30);
  });

  it('wakes a paused source, which is fetched at once if its interval is over', async () => {
    const parts = demandParts(db.database);
    const feed = newFeed();
    const id = await parts.following.follow(await newUser(db.database), feed);
    const lastFetchAt = new Date(parts.clock.now().getTime() - 3 * HOUR);
    await fetched(db.database, [id], { lastFetchAt, nextFetchAt: null, intervalSeconds: null });
    await parts.following.follow(await activeUser(parts), feed);
    expect(await stateOf(db.database, id)).toMatchObject({ activeFollowers: 1, jobState: 'waiting', jobRun: 3 });
  });

  it('leaves the next time of a source that is being fetched to its worker', async () => {
    const parts = demandParts(db.database);
    const feed = newFeed();
    const id = await parts.following.follow(await activeUser(parts), feed);
    const before = await stateOf(db.database, id);
    await parts.following.follow(await activeUser(parts), feed);
    const { activeFollowers, intervalSeconds, nextFetchAt, jobRun } = await stateOf(db.database, id);
    expect(activeFollowers).toBe(2);
    expect({ intervalSeconds, nextFetchAt, jobRun }).toEqual({
      intervalSeconds: before.intervalSeconds,
      nextFetchAt: before.nextFetchAt,
      jobRun: before.jobRun,
    });
  });
});

describe('an unfollow', () => {
  it('by the last active follower pauses the source', async () => {
    const parts = demandParts(db.database);
    const feed = newFeed();
    const [active, silent] = [await activeUser(parts), await newUser(db.database)];
    const id = await parts.following.follow(active, feed);
    await parts.following.follow(silent, feed);
    await fetched(db.database, [id], { lastFetchAt: parts.clock.now() });
    await parts.following.unfollow(active, id);
    expect(await stateOf(db.database, id)).toMatchObject({
      activeFollowers: 0,
      nextFetchAt: null,
      intervalSeconds: null,
    });
  });

  it('by a user who is not active changes nothing', async () => {
    const parts = demandParts(db.database);
    const feed = newFeed();
    const [active, silent] = [await activeUser(parts), await newUser(db.database)];
    const id = await parts.following.follow(active, feed);
    await parts.following.follow(silent, feed);
    await parts.following.unfollow(silent, id);
    expect(await stateOf(db.database, id)).toMatchObject({ activeFollowers: 1, demandEpoch: 1 });
  });
});

describe('a user who comes back', () => {
  it('is counted once, however many processes see them', async () => {
    const [one, ...others] = Array.from({ length: 4 }, () => demandParts(db.database));
    if (!one) return;
    const user = await newUser(db.database);
    const id = await one.following.follow(user, newFeed());
    await Promise.all([one, ...others].map((parts) => parts.seen(user)));
    expect(await stateOf(db.database, id)).toMatchObject({ activeFollowers: 1, demandEpoch: 1 });
  });

  it('has what they follow fetched at once where it is due, and not sooner than its interval where it is not', async () => {
    const parts = demandParts(db.database);
    const user = await newUser(db.database);
    const [stale, fresh] = [
      await parts.following.follow(user, newFeed()),
      await parts.following.follow(user, newFeed()),
    ];
    const ago = (ms: number) => new Date(parts.clock.now().getTime() - ms);
    await fetched(db.database, [stale], { lastFetchAt: ago(26 * HOUR), nextFetchAt: null });
    await fetched(db.database, [fresh], { lastFetchAt: ago(HOUR), nextFetchAt: null });
    await parts.seen(user);
    expect(await stateOf(db.database, stale)).toMatchObject({ activeFollowers: 1, jobState: 'waiting', jobRun: 3 });
    const { jobState, nextFetchAt } = await stateOf(db.database, fresh);
    expect({ jobState, in: minutesFrom(parts.clock.now(), nextFetchAt) }).toEqual({ jobState: 'done', in: 60 });
  });
});

it('counts the followers of a source again after another was merged into it', async () => {
  const parts = demandParts(db.database);
  const feed = newFeed();
  const id = await parts.following.follow(await activeUser(parts), feed);
  await parts.following.follow(await newUser(db.database), feed);
  await parts.following.follow(await activeUser(parts), feed);
  const lastFetchAt = new Date(parts.clock.now().getTime() - 3 * HOUR);
  await fetched(db.database, [id], { activeFollowers: 0, lastFetchAt, nextFetchAt: null, intervalSeconds: null });
  const enqueue = await db.database.transaction((tx) => parts.followers.merged(tx, id));
  await enqueue();
  expect(await stateOf(db.database, id)).toMatchObject({ activeFollowers: 2, jobState: 'waiting', jobRun: 3 });
});
