import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { demandParts, fetched, newFeed, newUser, stateOf, wrongCounters } from '../../../test/fetching/demand-parts.js';
import { testDatabase } from '../../../test/harness/database.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import { tiers } from '../intervals/tiers.js';
import { readDemand, writeDemand } from './demand-rows.js';
import { subtractLostFollowers } from './lost-followers.js';
import { corrected, type WrongCount, wrongCounts } from './recount.js';

const HOUR = 3_600_000;
const db = testDatabase();
beforeEach(() => db.database.db.execute(sql`TRUNCATE users, sources, lost_followers CASCADE`));

describe('a user who is silent for the active window', () => {
  it('no longer counts: what only they follow pauses, until their next request', async () => {
    const parts = demandParts(db.database);
    const { clock, following, recount } = parts;
    const [silent, other] = [await newUser(db.database), await newUser(db.database)];
    const shared = newFeed();
    const alone = await following.follow(silent, newFeed());
    const both = await following.follow(silent, shared);
    await following.follow(other, shared);
    await parts.seen(silent);
    await parts.seen(other);
    await fetched(db.database, [alone, both], { lastFetchAt: clock.now() });

    const { nextFetchAt, intervalSeconds } = await stateOf(db.database, both);
    clock.advance(23 * HOUR);
    await parts.seen(other);
    clock.advance(2 * HOUR);
    await recount.run();
    const paused = { activeFollowers: 0, nextFetchAt: null, intervalSeconds: null };
    expect(await stateOf(db.database, alone)).toMatchObject(paused);
    expect(await stateOf(db.database, both)).toMatchObject({ activeFollowers: 1, nextFetchAt, intervalSeconds });
    await parts.scheduler.run();
    expect(await stateOf(db.database, alone)).toMatchObject({ jobState: 'done' });

    await parts.seen(silent);
    expect(await stateOf(db.database, alone)).toMatchObject({ activeFollowers: 1, jobState: 'waiting' });
    expect(await parts.queued()).toContain(alone);
  });

  it('keeps the maximum delays of those who stay', async () => {
    const parts = demandParts(db.database);
    const [silent, other] = [await newUser(db.database), await newUser(db.database)];
    const feed = newFeed();
    for (const user of [silent, other]) await parts.seen(user);
    const id = await parts.following.follow(silent, feed);
    await parts.following.follow(other, feed);
    await parts.following.change(silent, id, { maxDelayMinutes: 10 });
    await parts.following.change(other, id, { maxDelayMinutes: 30 });
    expect(await stateOf(db.database, id)).toMatchObject({ maxDelaySeconds: 600 });
    await db.database.db.execute(sql`UPDATE users SET last_seen_at = 'epoch' WHERE id = ${silent}`);
    await parts.activity.retireSilent();
    await subtractLostFollowers(db.database);
    expect(await stateOf(db.database, id)).toMatchObject({ activeFollowers: 1, maxDelaySeconds: 1_800 });
  });

  it('leaves the schedule of a source that is being fetched to its worker', async () => {
    const parts = demandParts(db.database);
    const user = await newUser(db.database);
    await parts.seen(user);
    const id = await parts.following.follow(user, newFeed());
    const { nextFetchAt } = await stateOf(db.database, id);
    parts.clock.advance(25 * HOUR);
    await parts.activity.retireSilent();
    await subtractLostFollowers(db.database);
    expect(await stateOf(db.database, id)).toMatchObject({ activeFollowers: 0, jobState: 'waiting', nextFetchAt });
  });

  it('counts on while the window lasts', async () => {
    const parts = demandParts(db.database);
    const user = await newUser(db.database);
    await parts.seen(user);
    const id = await parts.following.follow(user, newFeed());
    parts.clock.advance(24 * HOUR);
    await parts.recount.run();
    expect(await stateOf(db.database, id)).toMatchObject({ activeFollowers: 1 });
  });
});

it('puts counters right that are off, with the schedule that follows from them', async () => {
  const parts = demandParts(db.database);
  const user = await newUser(db.database);
  await parts.seen(user);
  const [low, high] = [await parts.following.follow(user, newFeed()), await parts.following.follow(user, newFeed())];
  await parts.following.unfollow(user, high);
  const paused = { lastFetchAt: parts.clock.now(), nextFetchAt: null, intervalSeconds: null };
  await fetched(db.database, [low], { ...paused, activeFollowers: 0 });
  await fetched(db.database, [high], { ...paused, activeFollowers: 9, nextFetchAt: parts.clock.now() });
  await parts.recount.run();
  expect(await stateOf(db.database, low)).toMatchObject({
    activeFollowers: 1,
    intervalSeconds: 7_200,
    nextFetchAt: new Date(parts.clock.now().getTime() + 2 * HOUR),
  });
  expect(await stateOf(db.database, high)).toMatchObject({ activeFollowers: 0, nextFetchAt: null });
});

it('counts everything at the first round and every hour, and again after a round that had to leave something', async () => {
  const parts = demandParts(db.database);
  const user = await newUser(db.database);
  await parts.seen(user);
  const id = await parts.following.follow(user, newFeed());
  const isCorrected = async () => {
    await fetched(db.database, [id], { activeFollowers: 5 });
    await parts.recount.run();
    return (await stateOf(db.database, id)).activeFollowers === 1;
  };
  expect(await isCorrected()).toBe(true);
  expect(await isCorrected()).toBe(false);
  parts.clock.advance(HOUR);
  await db.database.transaction(async (tx) => {
    await tx.select().from(fetchStates).where(eq(fetchStates.id, id)).for('update');
    await parts.recount.run();
  });
  expect(await isCorrected()).toBe(true);
});

it('leaves rows alone whose counters are right', async () => {
  const parts = demandParts(db.database);
  const user = await newUser(db.database);
  await parts.seen(user);
  const id = await parts.following.follow(user, newFeed());
  const version = async () =>
    (await db.database.pool.query('SELECT xmin::text FROM fetch_states WHERE id = $1', [id])).rows;
  const before = await version();
  await parts.recount.run();
  expect(await version()).toEqual(before);
});

describe('what happens between counting and writing', () => {
  const at = { rules: { policy: tiers, floorSeconds: 60, price: 600 }, now: new Date() };

  /** Returns a source whose counter is off by one, as the recount reads it. */
  async function readWrong() {
    const parts = demandParts(db.database);
    const [one, two] = [await newUser(db.database), await newUser(db.database)];
    await parts.seen(one);
    await parts.seen(two);
    const feed = newFeed();
    const id = await parts.following.follow(one, feed);
    await fetched(db.database, [id], { activeFollowers: 0, lastFetchAt: new Date() });
    const wrong: WrongCount[] = [];
    for await (const some of wrongCounts(db.database)) wrong.push(...some);
    const read = await readDemand(db.database.db, [id]);
    const write = (rows = read) => writeDemand(db.database.db, corrected(wrong, rows, at));
    return { parts, two, feed, id, write };
  }

  it('is not undone: a follow', async () => {
    const { parts, two, feed, id, write } = await readWrong();
    await parts.following.follow(two, feed);
    expect(await write()).toBe(0);
    expect(await write(await readDemand(db.database.db, [id]))).toBe(0);
    expect(await stateOf(db.database, id)).toMatchObject({ activeFollowers: 1 });
    await parts.recount.run();
    expect(await wrongCounters(db.database)).toEqual([]);
  });

  it('is not undone: the next time that a worker has set', async () => {
    const { parts, id, write } = await readWrong();
    const nextFetchAt = new Date('2100-01-01');
    await fetched(db.database, [id], { jobRun: 3, nextFetchAt });
    expect(await write()).toBe(0);
    expect(await stateOf(db.database, id)).toMatchObject({ nextFetchAt });
    await parts.recount.run();
    expect(await wrongCounters(db.database)).toEqual([]);
  });
});

it('leaves followers who were lost in a count until they are subtracted, also where followers are merged', async () => {
  const parts = demandParts(db.database);
  const [silent, other] = [await newUser(db.database), await newUser(db.database)];
  const feed = newFeed();
  for (const user of [silent, other]) await parts.seen(user);
  const id = await parts.following.follow(silent, feed);
  await parts.following.follow(other, feed);
  await fetched(db.database, [id], { lastFetchAt: parts.clock.now() });
  await db.database.db.execute(sql`UPDATE users SET last_seen_at = 'epoch' WHERE id = ${silent}`);
  await parts.activity.retireSilent();
  await db.database.transaction((tx) => parts.followers.merged(tx, id));
  for await (const wrong of wrongCounts(db.database)) expect(wrong).toEqual([]);
  expect(await stateOf(db.database, id)).toMatchObject({ activeFollowers: 2 });
  await subtractLostFollowers(db.database);
  expect(await stateOf(db.database, id)).toMatchObject({ activeFollowers: 1 });
});

it('passes over a row that somebody holds, rather than wait, and puts the others right', async () => {
  const parts = demandParts(db.database);
  const user = await newUser(db.database);
  await parts.seen(user);
  const [held, free] = [await parts.following.follow(user, newFeed()), await parts.following.follow(user, newFeed())];
  await fetched(db.database, [held, free], { activeFollowers: 5 });
  await db.database.transaction(async (tx) => {
    await tx.select().from(fetchStates).where(eq(fetchStates.id, held)).for('update');
    await parts.recount.run();
    expect(await wrongCounters(db.database)).toMatchObject([{ id: held }]);
  });
  await parts.recount.run();
  expect(await wrongCounters(db.database)).toEqual([]);
});
