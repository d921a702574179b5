import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import {
  type DemandParts,
  demandParts,
  fetched,
  newFeed,
  newUser,
  stateOf,
} from '../../../test/fetching/demand-parts.js';
import { testDatabase } from '../../../test/harness/database.js';
import type { Config } from '../../platform/config.js';
import type { FetchState } from '../../sources/fetch-states.table.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const db = testDatabase();

/** Creates a user who follows a source that was fetched a while ago and is not due yet, with the given changes. */
async function follower(parts: DemandParts, state: Partial<FetchState> = {}) {
  const user = await newUser(db.database);
  await parts.seen(user);
  const id = await parts.following.follow(user, newFeed());
  const now = parts.clock.now().getTime();
  const lately = { lastFetchAt: new Date(now - 10 * MINUTE), nextFetchAt: new Date(now + HOUR), jobPriority: 7 };
  await fetched(db.database, [id], { ...lately, ...state });
  return { user, id };
}

async function read({ freshness }: DemandParts, user: string): Promise<void> {
  freshness.refreshStale(user);
  await freshness.beforeApplicationShutdown();
}

describe('reading a feed', () => {
  it('has sources fetched first of all that are older than the cache', async () => {
    const parts = demandParts(db.database);
    const { user, id } = await follower(parts);
    await read(parts, user);
    expect(await stateOf(db.database, id)).toMatchObject({ jobState: 'waiting', jobPriority: 0 });
    expect(await parts.queuedPriorities()).toMatchObject({ [id]: 0 });
  });

  it.each<[string, (now: number) => Partial<FetchState>]>([
    ['is fresh', (now) => ({ lastFetchAt: new Date(now - 4 * MINUTE) })],
    ['allows no more', () => ({ allows: { everySeconds: 900 } })],
    ['wants to be left alone', (now) => ({ notBefore: new Date(now + MINUTE) })],
    ['skips this hour', (now) => ({ allows: { skipHours: [new Date(now).getUTCHours()] } })],
    [
      'has failed for the second time within twice that age',
      (now) => ({ failures: 2, lastFetchAt: new Date(now - 9 * MINUTE) }),
    ],
    ['has failed often, in the last hour', (now) => ({ failures: 20, lastFetchAt: new Date(now - 55 * MINUTE) })],
    ['has failed and wants to be left alone', (now) => ({ failures: 1, notBefore: new Date(now + MINUTE) })],
    ['waits for a worker', () => ({ lastFetchAt: null, waitsForWorker: true })],
    ['is gone', (now) => ({ goneAt: new Date(now), nextFetchAt: null })],
  ])('leaves a source alone that %s', async (_what, state) => {
    const parts = demandParts(db.database);
    const { user, id } = await follower(parts, state(parts.clock.now().getTime()));
    await read(parts, user);
    expect(await stateOf(db.database, id)).toMatchObject({ jobState: 'done' });
  });

  it.each([
    [1, 6],
    [2, 11],
    [3, 21],
    [20, 61],
  ])('brings a source forward that has failed %d times, the last time %d minutes ago', async (failures, age) => {
    const parts = demandParts(db.database);
    const lastFetchAt = new Date(parts.clock.now().getTime() - age * MINUTE);
    const { user, id } = await follower(parts, { failures, lastFetchAt });
    await read(parts, user);
    expect(await stateOf(db.database, id)).toMatchObject({ jobState: 'waiting', jobPriority: 0 });
  });

  it('leaves a source to its hub that pushes its news, if hubs can reach us and no fetch has failed', async () => {
    const reachable = { publicUrl: 'https://millrace.example' };
    const wasFetched = async (config: Partial<Config>, state: Partial<FetchState> = {}) => {
      const parts = demandParts(db.database, undefined, config);
      const now = parts.clock.now().getTime();
      const { user, id } = await follower(parts, { pushedUntil: new Date(now + HOUR), ...state });
      await read(parts, user);
      return (await stateOf(db.database, id)).jobState === 'waiting';
    };
    expect(await wasFetched(reachable)).toBe(false);
    expect(await wasFetched(reachable, { failures: 1, nextFetchAt: new Date(0) })).toBe(true);
    expect(await wasFetched({})).toBe(true);
  });

  it('lets a source that waits behind others overtake them', async () => {
    const parts = demandParts(db.database);
    const { user, id } = await follower(parts, { nextFetchAt: new Date(parts.clock.now().getTime() - MINUTE) });
    await parts.scheduler.run();
    expect(await parts.queuedPriorities()).toMatchObject({ [id]: 7 });
    const { jobRun } = await stateOf(db.database, id);
    await read(parts, user);
    expect(await stateOf(db.database, id)).toMatchObject({ jobState: 'waiting', jobPriority: 0, jobRun });
    expect(await parts.queuedPriorities()).toMatchObject({ [id]: 0 });
  });

  it('asks for a source once, in however many processes its followers read', async () => {
    const parts = demandParts(db.database);
    const processes = [parts, ...Array.from({ length: 4 }, () => demandParts(db.database, parts.clock))];
    const feed = newFeed();
    const users = await Promise.all(processes.map(() => newUser(db.database)));
    for (const user of users) await parts.following.follow(user, feed);
    const id = await parts.following.follow(users[0] ?? '', feed);
    await fetched(db.database, [id], { lastFetchAt: new Date(parts.clock.now().getTime() - HOUR) });
    const { jobRun } = await stateOf(db.database, id);
    await Promise.all(processes.flatMap((one) => users.map((user) => read(one, user))));
    expect((await stateOf(db.database, id)).jobRun).toBe(jobRun + 1);
  });

  it('does not have a source fetched again that another process has fetched meanwhile', async () => {
    const parts = demandParts(db.database);
    const { user, id } = await follower(parts);
    const { jobRun } = await stateOf(db.database, id);
    await meanwhile(() => read(parts, user), id, { last_fetch_at: parts.clock.now() });
    expect(await stateOf(db.database, id)).toMatchObject({ jobState: 'done', jobRun });
  });
});

describe('a refresh', () => {
  it('asks sources that are fresh, fail or are gone, and tells how many', async () => {
    const parts = demandParts(db.database);
    const now = parts.clock.now();
    for (const state of [{ lastFetchAt: new Date(now.getTime() - MINUTE) }, { failures: 3 }, { goneAt: now }]) {
      const { user, id } = await follower(parts, state);
      expect(await parts.freshness.refresh(user)).toBe(1);
      expect(await stateOf(db.database, id)).toMatchObject({ jobState: 'waiting', jobPriority: 0 });
      expect(await parts.freshness.refresh(user)).toBe(1);
    }
  });

  it.each<[string, (now: number) => Partial<FetchState>]>([
    ['was fetched within the shortest interval', (now) => ({ lastFetchAt: new Date(now - MINUTE + 1) })],
    ['allows no more', () => ({ allows: { everySeconds: 900 } })],
    ['wants to be left alone', (now) => ({ notBefore: new Date(now + MINUTE) })],
    ['skips this day', (now) => ({ allows: { skipDays: [new Date(now).getUTCDay()] } })],
  ])('does not ask a source that %s', async (_what, state) => {
    const parts = demandParts(db.database);
    const { user, id } = await follower(parts, state(parts.clock.now().getTime()));
    expect(await parts.freshness.refresh(user)).toBe(0);
    expect(await stateOf(db.database, id)).toMatchObject({ jobState: 'done' });
  });

  it('asks for nothing that the user does not follow', async () => {
    const parts = demandParts(db.database);
    const { id } = await follower(parts);
    expect(await parts.freshness.refresh(await newUser(db.database), id)).toBe(0);
  });
});

/** Changes a row after it was read and before it is written. */
async function meanwhile(work: () => Promise<void>, id: string, { last_fetch_at }: { last_fetch_at: Date }) {
  let working: Promise<void> | undefined;
  await db.database.transaction(async (held) => {
    await held.execute(sql`UPDATE fetch_states SET last_fetch_at = ${last_fetch_at} WHERE id = ${id}`);
    working = work();
    for (let blocked = false; !blocked; ) {
      const { rows } = await db.database.db.execute(sql`
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`);
      blocked = rows.length > 0;
    }
  });
  await working;
}
