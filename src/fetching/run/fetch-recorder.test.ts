import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { newUser, stateOf } from '../../../test/fetching/demand-parts.js';
import { ENDS, WorkerProcess } from '../../../test/fetching/worker-process.js';
import { testDatabase } from '../../../test/harness/database.js';
import { FeedSite } from '../../../test/harness/feed-site.js';
import { startReader } from '../../../test/harness/reader.js';
import { users } from '../../auth/users/users.table.js';
import { Following } from '../../following/following.js';
import type { JobRun } from '../../platform/jobs/job-handler.js';
import type { Claim } from '../../platform/jobs/job-rows.js';
import { fetchStates, type Validators } from '../../sources/fetch-states.table.js';
import { FetchFailure } from '../fetcher.js';
import { SourceCatalogue } from '../source-catalogue.js';
import type { FetchedSource } from './fetch-jobs.js';
import { FetchRecorder } from './fetch-recorder.js';
import { FetchStatesStore } from './fetch-states.store.js';
import type { Walk } from './walk.js';

const given = testDatabase();

interface NothingNew extends Pick<Walk, 'error'> {
  validators?: Validators;
}

/** Creates sources that were fetched before and are enqueued again. */
async function newWorld() {
  const { app } = await startReader(given.url, { roles: new Set(['api']) });
  const worker = new WorkerProcess({ app });
  const site = await FeedSite.start();
  const waitingSource = async (path: string) => {
    site.publish(path, { guid: path, title: 'One', publishedAt: new Date('2026-01-01T00:00:00Z') });
    const user = await newUser(given.database);
    await given.database.db.update(users).set({ active: true }).where(eq(users.id, user));
    const id = await app.get(Following).follow(user, { type: 'rss', externalId: site.url(path) });
    await worker.run(id);
    await worker.putToWork(id);
    return id;
  };
  const take = async (id: string): Promise<Claim> => {
    const { jobRun } = await stateOf(given.database, id);
    const rows = app.get(SourceCatalogue).jobs.get('rss')?.rows;
    const [claim] = (await rows?.claim(given.database.pool, [{ id, run: jobRun }])) ?? [];
    if (!claim) throw new Error('the source does not wait');
    return claim;
  };
  /** Returns undefined if the claim was lost. */
  const recordWith = async (claim: Claim, source: FetchedSource, { validators = {}, error }: NothingNew) => {
    const walk = { first: { unchanged: true, validators } as const, posts: [], gaps: [], error };
    const commitTogether = (write: (claim: Claim) => Promise<unknown>) => write(claim);
    const run = { commitTogether } as JobRun;
    return (await app.get(FetchRecorder).record(source, { walk, host: undefined, slow: false }, run)) && true;
  };
  /** Returns a fetch that has claimed its source and is about to record that nothing was new. */
  const begin = async (path: string, news: NothingNew = {}) => {
    const id = await waitingSource(path);
    const claim = await take(id);
    const source = await app.get(FetchStatesStore).find(id);
    if (!source) throw new Error('there is no source');
    const record = () => recordWith(claim, source, { validators: { etag: `"${id}"` }, ...news });
    return { id, source, claim, record };
  };
  /** Lets another run claim the source, as if the first had stalled. */
  const takeOver = async (id: string, news: NothingNew) => {
    const claim = await take(id);
    const source = await app.get(FetchStatesStore).find(id);
    if (!source) throw new Error('there is no source');
    return () => recordWith(claim, source, news);
  };
  return { worker, waitingSource, take, begin, takeOver };
}

describe('fetches that find nothing new', () => {
  it('are recorded by one statement if they end at once, each with what it says', async () => {
    const { begin } = await newWorld();
    const fetches = await Promise.all([begin('/a'), begin('/b'), begin('/c')]);
    expect(await Promise.all(fetches.map(({ record }) => record()))).toEqual([true, true, true]);
    for (const { id, source } of fetches) {
      const { jobState, validators, lastFetchAt, nextFetchAt, rhythm } = await stateOf(given.database, id);
      expect({ jobState, validators }).toEqual({ jobState: 'done', validators: { etag: `"${id}"` } });
      expect(lastFetchAt?.getTime()).toBeGreaterThanOrEqual(source.lastFetchAt?.getTime() ?? 0);
      expect(nextFetchAt?.getTime()).toBeGreaterThan(lastFetchAt?.getTime() ?? 0);
      expect(rhythm).toHaveLength(source.rhythm?.length ?? 0);
    }
    const ids = sql.param(fetches.map(({ id }) => id));
    const { rows } = await given.database.db.execute(
      sql`SELECT count(DISTINCT xmin::text)::int AS writers FROM ${fetchStates} WHERE id = ANY(${ids}::bigint[])`,
    );
    expect(rows).toEqual([{ writers: 1 }]);
  });

  it('leave alone what another run has taken, and lose no other for it', async () => {
    const { begin, take } = await newWorld();
    const lost = await begin('/lost');
    const fetches = [await begin('/a'), lost, await begin('/b')];
    await take(lost.id);
    const before = await stateOf(given.database, lost.id);
    expect(await Promise.all(fetches.map(({ record }) => record()))).toEqual([true, undefined, true]);
    expect(await stateOf(given.database, lost.id)).toEqual(before);
  });

  it('leave it to the run that has the source, where a stalled one ends at the same time', async () => {
    const { begin, takeOver } = await newWorld();
    for (const order of ['stalled first', 'stalled last']) {
      const stalled = await begin(`/${order.replace(' ', '-')}`, { validators: { etag: '"stalled"' } });
      const record = await takeOver(stalled.id, { validators: { etag: '"its own"' } });
      const both = order === 'stalled first' ? [stalled.record, record] : [record, stalled.record];
      const ends = await Promise.all(both.map((one) => one()));
      expect(ends, order).toEqual(order === 'stalled first' ? [undefined, true] : [true, undefined]);
      expect((await stateOf(given.database, stalled.id)).validators).toEqual({ etag: '"its own"' });
    }
  });

  it('fail alone: one that cannot be stored spoils none that ends with it', async () => {
    const { begin } = await newWorld();
    const fetches = [
      await begin('/a'),
      await begin('/bad', { error: new FetchFailure('NETWORK_ERROR', 'a\0b') }),
      await begin('/b'),
    ];
    const ends = await Promise.allSettled(fetches.map(({ record }) => record()));
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const states = await Promise.all(fetches.map(({ id }) => stateOf(given.database, id)));
    expect(states.map(({ jobState }) => jobState)).toEqual(['done', 'waiting', 'done']);
  });

  it('reckon with what has changed of the source since they began', async () => {
    const { id, record } = await (await newWorld()).begin('/left');
    await given.database.db.update(fetchStates).set({ activeFollowers: 0 }).where(eq(fetchStates.id, id));
    expect(await record()).toBe(true);
    expect(await stateOf(given.database, id)).toMatchObject({
      jobState: 'done',
      nextFetchAt: null,
      activeFollowers: 0,
    });
  });

  it('overwrite nothing that any statement has changed since they read the source', async () => {
    const { begin } = await newWorld();
    const filled = await begin('/filled');
    await given.database.db.execute(sql`UPDATE ${fetchStates} SET host = 'example.org' WHERE id = ${filled.id}`);
    const scheduled = await begin('/scheduled');
    await given.database.db.execute(
      sql`UPDATE ${fetchStates} SET job_priority = 9, job_owner = NULL WHERE id = ${scheduled.id}`,
    );
    const untouched = await begin('/untouched');
    const all = [filled, scheduled, untouched];
    expect(await Promise.all(all.map(({ record }) => record()))).toEqual([true, true, true]);
    expect(await stateOf(given.database, filled.id)).toMatchObject({ jobState: 'done', host: 'example.org' });
    const fetches = async ({ id, source }: typeof untouched) =>
      (await stateOf(given.database, id)).fetches - source.fetches;
    expect([await fetches(scheduled), await fetches(untouched)]).toEqual([1, 0]);
  });

  it('leave the source waiting when their worker dies or is overtaken before they are recorded', async () => {
    const { worker, waitingSource } = await newWorld();
    for (const end of ENDS.filter((end) => end !== 'done' && end !== 'after the commit')) {
      const id = await waitingSource(`/${encodeURIComponent(end)}`);
      const { jobFence: _fence, version: _version, ...before } = await stateOf(given.database, id);
      await expect(worker.run(id, end), end).rejects.toThrow();
      const { jobFence, version, ...after } = await stateOf(given.database, id);
      expect(after).toEqual(before);
      await worker.run(id);
      expect((await stateOf(given.database, id)).jobState).toBe('done');
    }
  });
});
