import { eq, sql } from 'drizzle-orm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveAsBluesky } from '../../../test/fetching/changing-appview.js';
import { ChangingSource } from '../../../test/fetching/changing-source.js';
import { fetched, newUser, stateOf } from '../../../test/fetching/demand-parts.js';
import { ENDS, type End, WorkerProcess } from '../../../test/fetching/worker-process.js';
import { testDatabase } from '../../../test/harness/database.js';
import { FeedSite } from '../../../test/harness/feed-site.js';
import { startReader } from '../../../test/harness/reader.js';
import { printedSeed, seededRandom } from '../../../test/program/seeded-random.js';
import { users } from '../../auth/users/users.table.js';
import { Following } from '../../following/following.js';
import type { Config } from '../../platform/config.js';
import { Events } from '../../platform/events/events.js';
import { posts } from '../../posts/posts.table.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import { sourceFailing } from '../../sources/source-failing.event.js';
import type { SourceIdentity } from '../../sources/sources.table.js';
import { FreshnessHours, hoursSince } from '../freshness-figures/freshness-hours.js';
import { FetchStatesStore } from './fetch-states.store.js';
import { FetchStatistics } from './fetch-statistics.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const db = testDatabase();

/** Starts Millrace without the roles that act on their own. */
async function quietReader(config: Partial<Config> = {}) {
  const reader = await startReader(db.url, { roles: new Set(['api']), ...config });
  const worker = new WorkerProcess(reader);
  const follow = async (source: SourceIdentity) => {
    const user = await newUser(db.database);
    await db.database.db.update(users).set({ active: true, lastSeenAt: reader.clock.now() }).where(eq(users.id, user));
    return reader.app.get(Following).follow(user, source);
  };
  return { ...reader, worker, follow };
}

describe('a worker that dies', () => {
  const seed = printedSeed();
  const WORLDS = 6;

  it('misses no post and stores none twice, wherever it dies and however long the pages are', async () => {
    for (let world = 0; world < WORLDS; world++) {
      const random = seededRandom(seed + world);
      const { source, id, worker } = await changingHistory(random);
      for (let round = 0; round < 100; round++) {
        await worker.fetch(id);
        if (round > 2 && !(await stateOf(db.database, id)).gaps.length) break;
      }
      const stored = await storedIds(id);
      const missing = source.externalIds.filter((externalId) => !stored.includes(externalId));
      expect(missing, `world ${world} of seed ${seed}`).toEqual([]);
      expect(stored).toHaveLength(new Set(stored).size);
    }
  }, 120_000);

  it.each<End>(['before the commit', 'in the commit', 'overtaken'])(
    'leaves nothing behind %s, and the source still waiting',
    async (end) => {
      const { worker, follow } = await quietReader();
      const site = await FeedSite.start();
      site.publish('/feed', { guid: '1', title: 'One' });
      const id = await follow({ type: 'rss', externalId: site.url('/feed') });
      const before = await stateOf(db.database, id);
      await expect(worker.run(id, end)).rejects.toThrow();
      expect(await storedIds(id)).toEqual([]);
      const { jobFence, version } = before;
      expect({ ...(await stateOf(db.database, id)), jobFence, version }).toEqual(before);
      await worker.run(id);
      expect(await storedIds(id)).toEqual(['1']);
    },
  );

  it('after the commit does not have its source fetched again', async () => {
    const { worker, follow } = await quietReader();
    const site = await FeedSite.start();
    site.publish('/feed', { guid: '1', title: 'One' });
    const id = await follow({ type: 'rss', externalId: site.url('/feed') });
    await expect(worker.run(id, 'after the commit')).rejects.toThrow();
    await worker.run(id);
    expect(site.requests('/feed')).toHaveLength(1);
    expect(await storedIds(id)).toEqual(['1']);
  });
});

/** Reads a source while it changes, with workers that sometimes die, are aborted or overtaken. */
async function changingHistory(random: () => number) {
  const upTo = (most: number) => Math.floor(random() * (most + 1));
  const source = new ChangingSource(random, 1 + upTo(12), 'by place');
  let abort = new AbortController();
  const change = () => {
    const act = upTo(7);
    if (act <= 3) source.post(upTo(8));
    if (act === 4) source.edit();
    if (act === 5) source.delete();
  };
  let changing = false;
  const blueskyUrl = await serveAsBluesky(source, () => {
    if (!changing) return;
    change();
    if (random() < 0.05) abort.abort(new Error('the process is stopped'));
  });
  const { worker, follow } = await quietReader({ blueskyUrl });
  const id = await follow({ type: 'bluesky', externalId: `alice-${upTo(1_000_000_000)}.example` });
  // Posts present at the first fetch are history; only later ones count.
  await worker.run(id);
  changing = true;
  for (let round = 0; round < 12; round++) {
    for (let i = upTo(10); i > 0; i--) change();
    await worker.putToWork(id);
    abort = new AbortController();
    const ends = [...ENDS, 'done', 'done', 'done'] as const;
    await worker.runAndEnd(id, ends[upTo(ends.length - 1)], abort.signal);
  }
  changing = false;
  return { source, worker, id };
}

async function storedIds(sourceId: string): Promise<string[]> {
  const rows = await db.database.db
    .select({ externalId: posts.externalId })
    .from(posts)
    .where(eq(posts.sourceId, sourceId));
  return rows.map(({ externalId }) => externalId.split('/').at(-1) ?? '');
}

describe('a fetch', () => {
  it('that finds nothing new writes the schedule and nothing else', async () => {
    const { worker, follow, clock } = await quietReader();
    const site = await FeedSite.start();
    site.publish('/quiet', { guid: '1', title: 'One' });
    const id = await follow({ type: 'rss', externalId: site.url('/quiet') });
    await worker.run(id);
    const versions = sql`
      SELECT sources.xmin AS source, posts.xmin AS post, revision FROM sources JOIN posts ON source_id = sources.id
      WHERE sources.id = ${id}`;
    const { rows: before } = await db.database.db.execute(versions);
    clock.advance(3 * HOUR);
    await worker.fetch(id);
    expect(site.requests('/quiet').map(({ status }) => status)).toEqual([200, 304]);
    expect((await db.database.db.execute(versions)).rows).toEqual(before);
    const { lastSuccessAt, nextFetchAt } = await stateOf(db.database, id);
    expect(lastSuccessAt).toEqual(clock.now());
    expect(nextFetchAt?.getTime()).toBeGreaterThan(clock.now().getTime());
  });

  it('of a source that nobody wants any more asks nobody', async () => {
    const { worker, follow } = await quietReader();
    const site = await FeedSite.start();
    const id = await follow({ type: 'rss', externalId: site.url('/unwanted') });
    await worker.run(id);
    await db.database.db.update(fetchStates).set({ activeFollowers: 0, jobPriority: 7 }).where(eq(fetchStates.id, id));
    await worker.fetch(id);
    expect(site.requests('/unwanted')).toHaveLength(1);
    expect(await stateOf(db.database, id)).toMatchObject({ jobState: 'done', nextFetchAt: null });
  });

  it('at a host that is closed waits for it, and keeps the reason why the source failed before', async () => {
    const { worker, follow, clock } = await quietReader();
    const site = await FeedSite.start();
    const refuse = (status: number, headers = {}) =>
      site.on('/a', (_, answer) => void answer.writeHead(status, headers).end());
    onTestFinished(
      async () => void (await db.database.pool.query('DELETE FROM host_backoffs; DELETE FROM host_limits')),
    );
    const [failing, well, other] = await Promise.all(
      ['/failing', '/well', '/a'].map((path) => follow({ type: 'rss', externalId: site.url(path) })),
    );
    await worker.run(failing ?? '');
    refuse(429, { 'retry-after': '600' });
    await worker.run(other ?? '');
    await worker.fetch(failing ?? '');
    await worker.run(well ?? '');
    expect(site.requests('/well')).toEqual([]);
    const soonest = clock.now().getTime() + 590_000;
    for (const [id, failures, why] of [
      [failing, 1, /404/],
      [well, 0, /left alone/],
    ] as const) {
      const state = await stateOf(db.database, id ?? '');
      expect(state).toMatchObject({ jobState: 'done', failures, lastError: expect.stringMatching(why) });
      expect(state.nextFetchAt?.getTime()).toBeGreaterThan(soonest);
    }
  });
});

describe('a failure that may pass', () => {
  const broken = { error: /reset|closed|hang up/i };

  it('is left to the queue, and recorded with the last attempt only', async () => {
    const { worker, follow } = await quietReader();
    const site = await FeedSite.start();
    site.on('/reset', (request) => void request.socket.destroy());
    const id = await follow({ type: 'rss', externalId: site.url('/reset') });
    for (const attempt of [1, 2])
      await expect(worker.run(id, 'done', { attempt, isLastAttempt: false })).rejects.toThrow(broken.error);
    expect(await stateOf(db.database, id)).toMatchObject({ jobState: 'waiting', failures: 0, lastFetchAt: null });
    await worker.run(id, 'done', { attempt: 3, isLastAttempt: true });
    const state = await stateOf(db.database, id);
    expect(state).toMatchObject({ jobState: 'done', failures: 1, lastError: expect.stringMatching(broken.error) });
    expect(state.intervalSeconds).toBe(120);
  });

  it('of a whole host is found out with few requests, however many sources it has', async () => {
    const { worker, follow, clock } = await quietReader();
    const site = await FeedSite.start();
    const paths = Array.from({ length: 20 }, (_, at) => `/down-${at}`);
    for (const path of paths) site.on(path, (_, response) => void response.writeHead(502).end());
    const ids = await Promise.all(paths.map((path) => follow({ type: 'rss', externalId: site.url(path) })));
    const attempt = async (id: string, number: number) =>
      worker.run(id, 'done', { attempt: number, isLastAttempt: number === 3 }).catch(() => undefined);
    for (const number of [1, 2, 3]) for (const id of ids) await attempt(id, number);
    expect(site.log).toHaveLength(5);
    for (const id of ids) expect(await stateOf(db.database, id)).toMatchObject({ jobState: 'done', failures: 1 });

    for (const path of paths) site.publish(path, { guid: path, title: 'Back' });
    for (const path of paths) site.repair(path);
    clock.advance(HOUR);
    for (const id of ids) await worker.fetch(id);
    for (const id of ids) expect(await stateOf(db.database, id)).toMatchObject({ failures: 0, lastError: null });
  });

  it('is counted by the budget only where a request was made', async () => {
    const { worker, follow, clock } = await quietReader();
    const site = await FeedSite.start();
    const ids = await Promise.all(['/a', '/b'].map((path) => follow({ type: 'rss', externalId: site.url(path) })));
    await fetched(db.database, ids, { jobPriority: 7, lastFetchAt: clock.now() });
    for (const path of ['/a', '/b']) site.on(path, (_, response) => void response.writeHead(500).end());
    const [asked = '', unasked = ''] = ids;
    for (let round = 0; round < 5; round++) await worker.fetch(asked);
    await worker.fetch(unasked);
    expect(await stateOf(db.database, asked)).toMatchObject({ failures: 5, fetches: 5 });
    expect(await stateOf(db.database, unasked)).toMatchObject({ failures: 1, fetches: 0 });
    expect(site.requests('/b')).toEqual([]);
  });
});

describe('a source that fails for a week', () => {
  it('is reported once, and again after it has worked in between', async () => {
    const { worker, follow, clock, app } = await quietReader();
    const told: string[] = [];
    app.get(Events).subscribe(sourceFailing, ({ sourceId }) => void told.push(sourceId));
    const site = await FeedSite.start();
    const id = await follow({ type: 'rss', externalId: site.url('/ill') });
    const failFor = async (days: number) => {
      for (let day = 0; day <= days; day++) {
        await worker.fetch(id);
        clock.advance(DAY);
      }
    };
    await failFor(6);
    expect(await stateOf(db.database, id)).toMatchObject({ failing: false, failures: 7 });
    await failFor(3);
    await expect.poll(() => told).toEqual([id]);
    site.publish('/ill', { guid: '1', title: 'Well' });
    await worker.fetch(id);
    expect(await stateOf(db.database, id)).toMatchObject({ failing: false, failingSince: null, failures: 0 });
    site.on('/ill', (_, response) => void response.writeHead(500).end());
    await failFor(8);
    await expect.poll(() => told).toEqual([id, id]);
  });

  it('is not one that paused between two failures', async () => {
    const { worker, follow, clock } = await quietReader();
    const site = await FeedSite.start();
    const id = await follow({ type: 'rss', externalId: site.url('/missing') });
    await worker.fetch(id);
    clock.advance(10 * DAY);
    await worker.fetch(id);
    expect(await stateOf(db.database, id)).toMatchObject({ failures: 2, failing: false, failingSince: clock.now() });
  });
});

it('makes a source a slow one while its fetches take long', async () => {
  const { worker, follow } = await quietReader();
  const site = await FeedSite.start();
  site.publish('/slow', { guid: '1', title: 'One' });
  const id = await follow({ type: 'rss', externalId: site.url('/slow') });
  site.delayMs = 2_100;
  await worker.run(id);
  expect(await stateOf(db.database, id)).toMatchObject({ slow: true, failures: 0 });
  site.delayMs = 0;
  await worker.fetch(id);
  expect(await stateOf(db.database, id)).toMatchObject({ slow: false });
});

it('counts as fetched on schedule what the budget counts: no first fetch, none that was asked for, and of attempts the last', async () => {
  const { worker, follow, app } = await quietReader();
  const hours = app.get(FreshnessHours);
  const counted = async () => {
    await hours.store();
    const all = await hoursSince(db.database.db, new Date(0));
    return { fetches: sum(all.map((hour) => hour.fetches)), scheduled: sum(all.map((hour) => hour.scheduled)) };
  };
  const site = await FeedSite.start();
  site.publish('/feed', { guid: '1', title: 'One' });
  const id = await follow({ type: 'rss', externalId: site.url('/feed') });
  const before = await counted();
  await worker.run(id);
  await fetched(db.database, [id], { jobPriority: 0 });
  await worker.fetch(id);
  expect(await counted()).toEqual({ fetches: before.fetches + 2, scheduled: before.scheduled });
  await fetched(db.database, [id], { jobPriority: 7 });
  await worker.fetch(id);
  site.on('/feed', (_, response) => void response.writeHead(500).end());
  await worker.fetch(id);
  expect(await counted()).toEqual({ fetches: before.fetches + 4, scheduled: before.scheduled + 2 });
  expect(await stateOf(db.database, id)).toMatchObject({ fetches: 2 });
  const source = await app.get(FetchStatesStore).find(id);
  if (source) app.get(FetchStatistics).failed(source, { isLast: false });
  expect(await counted()).toEqual({ fetches: before.fetches + 5, scheduled: before.scheduled + 2 });
});

const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);

describe('a source that moves to where another is', () => {
  it('brings that one back if it was gone', async () => {
    const { worker, follow, clock } = await quietReader();
    const site = await FeedSite.start();
    site.publish('/old', { guid: '1', title: 'One' });
    const [old, target] = [
      await follow({ type: 'rss', externalId: site.url('/old') }),
      await follow({ type: 'rss', externalId: site.url('/new') }),
    ];
    await worker.run(old);
    await fetched(db.database, [target], {
      goneAt: clock.now(),
      failures: 1,
      failingSince: clock.now(),
      lastError: 'it answered 410',
      lastFetchAt: clock.now(),
      nextFetchAt: null,
      intervalSeconds: null,
    });
    clock.advance(DAY);
    site.publish('/new', { guid: '1', title: 'One' });
    site.on('/old', (_, response) => void response.writeHead(301, { location: '/new' }).end());
    await worker.fetch(old);
    expect(await stateOf(db.database, target)).toMatchObject({ activeFollowers: 2, goneAt: null, jobState: 'waiting' });
    await worker.run(target);
    expect(await stateOf(db.database, target)).toMatchObject({ failures: 0, failingSince: null, lastError: null });
  });
});
