import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { newUser, stateOf } from '../../../test/fetching/demand-parts.js';
import { WorkerProcess } from '../../../test/fetching/worker-process.js';
import { testDatabase } from '../../../test/harness/database.js';
import { FeedSite } from '../../../test/harness/feed-site.js';
import { startReader } from '../../../test/harness/reader.js';
import { users } from '../../auth/users/users.table.js';
import { Following } from '../../following/following.js';
import type { Config } from '../../platform/config.js';
import { hostLimits } from '../../platform/hosts/host-limits.table.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import { FIRST_PRICE, INTERVAL_RULES, type LiveIntervalRules } from '../intervals/interval-rules.js';
import { Recount } from './recount.js';
import { requestBudget } from './request-budget.table.js';
import { RequestPrices } from './request-prices.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const db = testDatabase();
beforeEach(() => db.database.db.execute(sql`TRUNCATE users, sources, request_budget, host_limits CASCADE`));

/** Starts Millrace without periodic work, and users who stay active however the clock is moved. */
async function quietReader(config: Partial<Config> = {}) {
  const reader = await startReader(db.url, { roles: new Set(['api']), activeWindowMs: 365 * DAY, ...config });
  const follow = async (url: string) => {
    const user = await newUser(db.database);
    await db.database.db.update(users).set({ active: true, lastSeenAt: reader.clock.now() }).where(eq(users.id, user));
    return reader.app.get(Following).follow(user, { type: 'rss', externalId: url });
  };
  const rules: LiveIntervalRules = reader.app.get(INTERVAL_RULES);
  const recount = () => reader.app.get(Recount).run();
  return { ...reader, follow, rules, recount, worker: new WorkerProcess(reader) };
}

const budget = async () => (await db.database.db.select().from(requestBudget))[0];

/** Creates a feed that posts at even intervals, with a history. */
function steadyFeed(site: FeedSite, path: string, { everyMs, from }: { everyMs: number; from: Date }) {
  let [posted, next] = [0, from.getTime() - 30 * everyMs];
  return {
    postUntil(now: Date) {
      for (; next <= now.getTime(); next += everyMs) {
        const guid = `${path} ${++posted}`;
        site.publish(path, { guid, title: guid, publishedAt: new Date(next) });
      }
    },
  };
}

/** Returns the sources that are due, as the scheduler would enqueue them. */
async function due(now: Date): Promise<string[]> {
  const { rows } = await db.database.db.execute<{ id: string }>(
    sql`UPDATE fetch_states SET job_priority = 7 WHERE next_fetch_at <= ${now.toISOString()} RETURNING id`,
  );
  return rows.map(({ id }) => id);
}

it('asks a source that posts every ten minutes more often than one that posts daily, at the cost of the tiers', async () => {
  const { clock, worker, follow, recount } = await quietReader();
  const site = await FeedSite.start();
  const feeds = [
    steadyFeed(site, '/busy', { everyMs: 10 * MINUTE, from: clock.now() }),
    steadyFeed(site, '/quiet', { everyMs: DAY, from: clock.now() }),
  ];
  for (const feed of feeds) feed.postUntil(clock.now());
  const [busy, quiet] = [await follow(site.url('/busy')), await follow(site.url('/quiet'))];
  for (const id of [busy, quiet]) await worker.run(id);
  for (let passed = 0; passed < DAY; passed += 20 * MINUTE) {
    await recount();
    clock.advance(20 * MINUTE);
    for (const feed of feeds) feed.postUntil(clock.now());
    for (const id of await due(clock.now())) await worker.fetch(id);
  }
  const [often, seldom] = [site.requests('/busy').length, site.requests('/quiet').length];
  expect(often).toBeGreaterThan(3 * seldom);
  expect(seldom).toBeGreaterThan(1);
  // The tiers policy would fetch each of them every two hours.
  expect(often + seldom).toBeLessThan(1.3 * 24);
  expect((await stateOf(db.database, busy)).postsPerDay).toBeGreaterThan(20);
  expect((await stateOf(db.database, quiet)).postsPerDay).toBeLessThan(2);
  await recount();
  expect(await budget()).toMatchObject({ fetches: often + seldom - 2 });
}, 60_000);

describe('the price of a fetch', () => {
  it('is the same in all processes, and after a restart', async () => {
    const [one, two] = [await quietReader(), await quietReader({ requestBudget: 1 })];
    const site = await FeedSite.start();
    site.publish('/feed', { guid: '1', title: 'One' });
    await one.worker.run(await one.follow(site.url('/feed')));
    expect(two.rules.price).toBe(FIRST_PRICE);
    await one.recount();
    const { price } = (await budget()) ?? {};
    expect(price).not.toBe(FIRST_PRICE);
    await expect.poll(() => [one.rules.price, two.rules.price]).toEqual([price, price]);
    expect((await quietReader()).rules.price).toBe(price);
  });

  it('follows the budget that is set, in place of what the tiers would spend', async () => {
    const { follow, worker, recount } = await quietReader({ requestBudget: 12 });
    const site = await FeedSite.start();
    site.publish('/feed', { guid: '1', title: 'One' });
    await worker.run(await follow(site.url('/feed')));
    await recount();
    expect(await budget()).toMatchObject({ budgetPerHour: 12 });
  });

  it('has no say about what nobody active follows', async () => {
    const { follow, recount } = await quietReader();
    await follow('http://127.0.0.1:2/paused');
    await db.database.db.execute(sql`UPDATE users SET active = false`);
    await recount();
    expect(await budget()).toBeUndefined();
  });

  it('has no say about what a hub pushes, until a fetch of it fails', async () => {
    const { follow, worker, recount, clock } = await quietReader();
    const site = await FeedSite.start();
    site.publish('/feed', { guid: '1', title: 'One' });
    await worker.run(await follow(site.url('/feed')));
    const pushedUntil = new Date(clock.now().getTime() + DAY);
    await db.database.db.update(fetchStates).set({ pushedUntil });
    await recount();
    expect(await budget()).toBeUndefined();
    await db.database.db.update(fetchStates).set({ failures: 1 });
    await recount();
    expect((await budget())?.budgetPerHour).toBeGreaterThan(0);
  });

  it('does not take the time that Millrace was away for requests saved', async () => {
    const { clock, follow, worker, recount } = await quietReader();
    const site = await FeedSite.start();
    site.publish('/feed', { guid: '1', title: 'One' });
    await worker.run(await follow(site.url('/feed')));
    await recount();
    const before = await budget();
    clock.advance(20 * DAY);
    await recount();
    expect(await budget()).toMatchObject({ balance: before?.balance });
  });

  it('is higher where a host takes fewer requests than its sources are worth', async () => {
    const { follow, worker, recount, rules, clock } = await quietReader();
    const site = await FeedSite.start();
    const ids: string[] = [];
    for (const path of ['/a', '/b', '/c']) {
      steadyFeed(site, path, { everyMs: 10 * MINUTE, from: clock.now() }).postUntil(clock.now());
      ids.push(await follow(site.url(path)));
    }
    for (const id of ids) await worker.run(id);
    await db.database.db.execute(sql`UPDATE fetch_states SET active_followers = 1000, host = NULL`);
    await db.database.db.execute(sql`
      INSERT INTO users (external_id, active, last_seen_at) SELECT 'many ' || n, true, now() FROM generate_series(1, 999) AS n`);
    await db.database.db.execute(sql`
      INSERT INTO follows (user_id, source_id) SELECT users.id, sources.id FROM users, sources ON CONFLICT DO NOTHING`);
    const limit = { host: '127.0.0.1', perMinute: 1, origin: 'set' as const, because: 'a test wants it' };
    await db.database.db.insert(hostLimits).values({ ...limit, learnedAt: clock.now(), nextAt: clock.now() });
    await recount();
    await recount();
    await expect.poll(() => rules.hostPrices.get('127.0.0.1') ?? 0).toBeGreaterThan(rules.price);
  });

  it('does not wait for the next round where there is none, or where a host has just told its limit', async () => {
    const { app, follow, worker, clock, rules } = await quietReader();
    const site = await FeedSite.start();
    site.publish('/feed', { guid: '1', title: 'One' });
    await worker.run(await follow(site.url('/feed')));
    const lookedAt = async () => {
      clock.advance(1_000);
      await app.get(RequestPrices).runIfNeeded();
      return (await budget())?.lookedAt.getTime();
    };
    const first = await lookedAt();
    expect(first).toBe(clock.now().getTime());
    expect(await lookedAt()).toBe(first);
    await db.database.db.execute(sql`UPDATE fetch_states SET active_followers = 1000000`);
    const limit = { host: '127.0.0.1', perMinute: 1, origin: 'set' as const, because: 'a test wants it' };
    // The database clock is used, which differs from that of the process.
    await db.database.db.insert(hostLimits).values(limit);
    expect(await lookedAt()).toBe(first);
    const priceOf = async () => (await db.database.db.select().from(hostLimits))[0]?.price;
    expect(await priceOf()).toBeGreaterThan(0);
    await expect.poll(() => rules.hostPrices.get('127.0.0.1')).toBe(await priceOf());
    await db.database.db.update(hostLimits).set({ price: 1 });
    await lookedAt();
    expect(await priceOf()).toBe(1);
  });

  it('leaves requests to all others, whatever delay one user prefers', async () => {
    const { follow, worker, recount } = await quietReader();
    const site = await FeedSite.start();
    const ids: string[] = [];
    for (let one = 0; one < 20; one++) {
      site.publish(`/${one}`, { guid: '1', title: 'One' });
      ids.push(await follow(site.url(`/${one}`)));
    }
    for (const id of ids) await worker.run(id);
    await db.database.db.execute(sql`UPDATE follows SET max_delay_minutes = 1 WHERE source_id = ${ids[0]}`);
    await recount();
    await recount();
    const { price = Infinity, budgetPerHour = 0 } = (await budget()) ?? {};
    const wished = 3_600 / 60;
    expect(budgetPerHour).toBeGreaterThan(wished);
    // With one post a day, a wait of one day is worth half a day.
    expect(price).toBeLessThan(86_400 / 4);
  });

  it('writes only those of hosts that have changed', async () => {
    const { follow, worker, recount } = await quietReader();
    const site = await FeedSite.start();
    site.publish('/feed', { guid: '1', title: 'One' });
    await worker.run(await follow(site.url('/feed')));
    const limit = { host: 'quiet.example', perMinute: 60, origin: 'set' as const, because: 'a test wants it' };
    await db.database.db.insert(hostLimits).values(limit);
    const version = async () => (await db.database.db.execute(sql`SELECT xmin::text FROM host_limits`)).rows;
    await recount();
    const before = await version();
    await recount();
    expect(await version()).toEqual(before);
  });
});
