import { sql } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { demandParts, fetched, newFeed, newUser, stateOf } from '../../../test/fetching/demand-parts.js';
import { testDatabase } from '../../../test/harness/database.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import { tierPriority } from './tier-priority.js';

const db = testDatabase();
beforeEach(() => db.database.db.execute(sql`TRUNCATE users, sources, bullmq.job CASCADE`));

/** Creates sources that were fetched and are due, with the given changes. */
async function sourcesThatAre(count: number, state: Partial<typeof fetchStates.$inferSelect>): Promise<string[]> {
  const feeds = Array.from({ length: count }, newFeed);
  const { newIds } = await demandParts(db.database).following.followAll(await newUser(db.database), feeds);
  await fetched(db.database, newIds, { lastFetchAt: new Date(0), nextFetchAt: new Date(0), ...state });
  await db.database.db.execute(sql`TRUNCATE bullmq.job CASCADE`);
  return newIds;
}

it('puts to work what is due, and nothing else', async () => {
  const parts = demandParts(db.database);
  const now = parts.clock.now().getTime();
  const [due] = await sourcesThatAre(1, { nextFetchAt: new Date(now) });
  await sourcesThatAre(1, { nextFetchAt: new Date(now + 1) });
  await sourcesThatAre(1, { nextFetchAt: null });
  await sourcesThatAre(1, { jobState: 'waiting' });
  await sourcesThatAre(1, { type: 'of a fetcher that is no more' });
  await parts.scheduler.run();
  expect(await parts.queued()).toEqual([due]);
});

it('puts a source to work once, by its active followers the sooner', async () => {
  const parts = demandParts(db.database);
  const [few] = await sourcesThatAre(1, { activeFollowers: 1 });
  const [many] = await sourcesThatAre(1, { activeFollowers: 60 });
  await parts.scheduler.run();
  await parts.scheduler.run();
  expect(await stateOf(db.database, few ?? '')).toMatchObject({ jobState: 'waiting', jobRun: 3, jobPriority: 7 });
  expect(await stateOf(db.database, many ?? '')).toMatchObject({ jobState: 'waiting', jobRun: 3, jobPriority: 2 });
});

it('gives each source to one of several schedulers', async () => {
  const ids = await sourcesThatAre(3_000, {});
  const schedulers = Array.from({ length: 4 }, () => demandParts(db.database));
  await Promise.all(schedulers.map(({ scheduler }) => scheduler.run()));
  const { rows } = await db.database.db.execute(sql`SELECT job_run AS run, count(*)::int FROM fetch_states GROUP BY 1`);
  expect(rows).toEqual([{ run: 3, count: 3_000 }]);
  expect((await schedulers[0]?.queued())?.toSorted()).toEqual(ids.toSorted());
});

it('hands out slow sources bit by bit, and all that are not slow at once', async () => {
  const parts = demandParts(db.database, undefined, { fetchConcurrency: 10 });
  const slow = await sourcesThatAre(20, { slow: true });
  const quick = await sourcesThatAre(20, {});
  await parts.scheduler.run();
  await parts.scheduler.run();
  const queued = await parts.queued();
  expect(queued.filter((id) => quick.includes(id))).toHaveLength(quick.length);
  const first = queued.filter((id) => slow.includes(id));
  expect(first).toHaveLength(5);
  await fetched(db.database, first, { nextFetchAt: null });
  await parts.scheduler.run();
  expect((await parts.queued()).filter((id) => slow.includes(id))).toHaveLength(10);
});

it('loses nothing when it dies between putting sources to work and enqueueing them: the sweep does it', async () => {
  const parts = demandParts(db.database);
  const [id] = await sourcesThatAre(1, {});
  const due = { column: fetchStates.nextFetchAt, now: parts.clock.now(), limit: 10, priority: tierPriority };
  expect(await parts.catalogue.jobs.get('rss')?.rows.takeDue(db.database.db, due)).toMatchObject([{ id }]);
  await parts.scheduler.run();
  expect(await parts.queued()).toEqual([]);
  await db.database.db.execute(sql`UPDATE fetch_states SET job_sweep_at = now() - interval '1 second'`);
  await parts.sweep.run();
  expect(await parts.queued()).toEqual([id]);
});
