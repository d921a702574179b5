import { eq, sql } from 'drizzle-orm';
import type { PoolClient } from 'pg';
import { beforeEach, expect, it } from 'vitest';
import { type DemandParts, demandParts, newFeed, newUser, wrongCounters } from '../../../test/fetching/demand-parts.js';
import { TestClock } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { seededRandom } from '../../../test/program/seeded-random.js';
import type { Db } from '../../platform/database/database.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import { subtractLostFollowers } from './lost-followers.js';

const db = testDatabase();
beforeEach(() => db.database.db.execute(sql`TRUNCATE users, sources, lost_followers, bullmq.job CASCADE`));

const CONCURRENCY = 8;
const ACTS = 400;
type Act = (parts: DemandParts) => Promise<unknown>;

/** Lets three processes do what `choose` returns, eight actions at a time. Returns the processes. */
async function storm(choose: () => Act, random: () => number): Promise<DemandParts[]> {
  const clock = new TestClock();
  const processes = Array.from({ length: 3 }, () => demandParts(db.database, clock));
  let left = ACTS;
  const lane = async () => {
    while (left-- > 0) await choose()(processes[Math.floor(random() * 3)] as DemandParts);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
  return processes;
}

async function makeActs(random: () => number) {
  const users = await Promise.all(Array.from({ length: 12 }, () => newUser(db.database)));
  const feeds = Array.from({ length: 15 }, newFeed);
  const anyOf = <T>(list: T[]) => list[Math.floor(random() * list.length)] as T;
  const someOf = <T>(list: T[]) => list.filter(() => random() < 0.4);
  return {
    follow: ({ following }) => following.followAll(anyOf(users), someOf(feeds)),
    async unfollow({ following }) {
      const { sourceIds } = await following.followAll(anyOf(users), [anyOf(feeds)]);
      for (const id of sourceIds.values()) await following.unfollow(anyOf(users), id);
    },
    /** Times are a minute apart, so that each is written. */
    async comeBack(parts) {
      parts.clock.advance(61_000);
      await parts.seen(anyOf(users));
    },
    fallSilent: () => db.database.db.execute(sql`UPDATE users SET last_seen_at = 'epoch' WHERE id = ${anyOf(users)}`),
    recount: ({ recount }) => recount.run(),
    async schedule({ scheduler }) {
      await db.database.db.execute(sql`UPDATE fetch_states SET next_fetch_at = 'epoch' WHERE id IN (
        SELECT id FROM fetch_states WHERE next_fetch_at IS NOT NULL LIMIT 3 FOR UPDATE SKIP LOCKED)`);
      await scheduler.run();
    },
    /** Runs several at a time in no order, as workers do. */
    async work({ catalogue }) {
      const rows = catalogue.jobs.get('rss')?.rows;
      const { pool } = db.database;
      const waiting = await db.database.db.select().from(fetchStates).where(eq(fetchStates.jobState, 'waiting'));
      const wanted = waiting.toSorted(() => random() - 0.5).map(({ id, jobRun }) => ({ id, run: jobRun }));
      const claims = (await rows?.claim(pool, wanted))?.filter((claim) => claim !== undefined) ?? [];
      await rows?.end(pool, claims);
    },
  } satisfies Record<string, Act>;
}

it('counts exactly, however follows, unfollows and returns cross each other', async () => {
  const random = seededRandom(1);
  const { follow, unfollow, comeBack, schedule, work } = await makeActs(random);
  const acts = [follow, unfollow, comeBack, schedule, work];
  const processes = await storm(() => acts[Math.floor(random() * acts.length)] as Act, random);
  expect(await wrongCounters(db.database)).toEqual([]);
  expect(processes.flatMap(({ lines }) => lines)).toEqual([]);
});

it('counts exactly without a full count, however users fall silent and return meanwhile', async () => {
  const random = seededRandom(3);
  const { fallSilent, recount: _, ...others } = await makeActs(random);
  const retire: Act = ({ activity }) => activity.retireSilent();
  const subtract: Act = () => subtractLostFollowers(db.database);
  const acts: Act[] = [...Object.values(others), fallSilent, fallSilent, retire, retire, subtract];
  const processes = await storm(() => acts[Math.floor(random() * acts.length)] as Act, random);
  await subtractLostFollowers(db.database);
  expect(await wrongCounters(db.database)).toEqual([]);
  expect(processes.flatMap(({ lines }) => lines)).toEqual([]);
});

it('counts exactly after processes that end at any moment of a recount', async () => {
  const random = seededRandom(4);
  const { follow, unfollow, comeBack, fallSilent } = await makeActs(random);
  const parts = demandParts(db.database);
  const dying = demandParts(db.database, parts.clock);
  dying.activity.onRetire(() => (random() < 0.5 ? Promise.reject(new Error('the process ended')) : Promise.resolve()));
  const rolledBack: Promise<unknown>[] = [];
  const dyingDatabase = {
    transaction<T>(work: (db: Db, client: PoolClient) => Promise<T>) {
      const transaction = db.database.transaction<T>(async (tx, client) => {
        await work(tx, client);
        throw new Error('the process ended');
      });
      rolledBack.push(transaction);
      return transaction;
    },
  };
  for (let turn = 0; turn < 60; turn++) {
    for (const act of [follow, unfollow, comeBack, fallSilent]) await act(parts);
    await dying.activity.retireSilent().catch(() => undefined);
    await subtractLostFollowers(dyingDatabase).catch(() => undefined);
    // The first lane that fails ends the call. The locks of the others would make the next call skip their sources.
    await Promise.allSettled(rolledBack.splice(0));
    for (const act of [follow, unfollow, comeBack]) await act(parts);
    if (turn % 3) continue;
    await subtractLostFollowers(db.database);
    expect(await wrongCounters(db.database)).toEqual([]);
  }
});

it('counts exactly with the first quiet recount, however users fall silent and return while it counts', async () => {
  const random = seededRandom(2);
  const { fallSilent, recount, ...others } = await makeActs(random);
  const acts: Act[] = [...Object.values(others), fallSilent, fallSilent, recount];
  const processes = await storm(() => acts[Math.floor(random() * acts.length)] as Act, random);
  await processes[0]?.recount.run();
  expect(await wrongCounters(db.database)).toEqual([]);
  expect(processes.flatMap(({ lines }) => lines)).toEqual([]);
});
