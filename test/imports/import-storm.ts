import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect } from 'vitest';
import { FeedSite } from '../harness/feed-site.js';
import { newDatabase } from '../program/new-database.js';
import { printedSeed, seededRandom } from '../program/seeded-random.js';
import { Fleet } from './fleet.js';
import { WorldOfFeeds, type WorldSize } from './world-of-feeds.js';

const POLL_MS = 250;

export interface Storm extends WorldSize {
  /** Without it the queue is on PostgreSQL. */
  redisUrl?: string;
  /** Feeds fetched per second, so that there is something to interrupt. */
  rate: number;
  /** Mean time between two kills. */
  pauseMs: number;
  /** Number of feeds in each import. */
  kills: { least: number; most: number };
}

interface Import {
  id: string;
  status: string;
  feeds: { total: number; done: number; failed: number };
  items: Items;
}
type Items = Record<'found' | 'new' | 'updated' | 'unchanged' | 'failed', number>;

/**
 * Imports feeds three times, the last time after a tenth of their items has changed, while processes are killed, the API
 * among them. Each import ends with the right totals, and every item is stored once.
 */
export async function importThroughKills(storm: Storm): Promise<void> {
  const databaseUrl = await newDatabase();
  const site = await FeedSite.start();
  const world = new WorldOfFeeds(site, storm);
  const fleet = new Fleet(environment(storm, databaseUrl));
  await fleet.ready();
  const random = seededRandom(printedSeed());
  const all = world.itemCount;
  const none = { found: all, new: 0, updated: 0, unchanged: 0, failed: 0 };
  const run = () => runOne(fleet, world, { ...storm, random });

  const first = await run();
  expect(first).toMatchObject(ended(storm, { ...none, new: all }));
  const stored = await storedIn(databaseUrl);
  expect(stored.counts).toEqual({ posts: all, sources: storm.feeds, deadLetters: 0, items: [all] });

  expect(await run()).toMatchObject(ended(storm, { ...none, unchanged: all }));
  expect((await storedIn(databaseUrl)).hashes).toEqual(stored.hashes);

  const changed = world.changeTenth();
  expect(await run()).toMatchObject(ended(storm, { ...none, updated: changed, unchanged: all - changed }));
  const after = await storedIn(databaseUrl);
  expect(after.counts).toEqual({ posts: all, sources: storm.feeds, deadLetters: 0, items: [all, all, all] });
  expect(after.hashes.filter((hash, at) => hash !== stored.hashes[at])).toHaveLength(changed);
  await fleet.ready();
  expect(await fleet.stop()).toEqual([0, 0, 0]);
}

function environment({ redisUrl, rate }: Storm, databaseUrl: string): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl ?? '',
    MILLRACE_ALLOW_NETWORKS: '127.0.0.1',
    MILLRACE_HOST_CONCURRENCY: '20',
    MILLRACE_IMPORT_RATE: String(rate),
    MILLRACE_REQUESTS_PER_MINUTE: '100000',
    MILLRACE_JOB_LOCK_MS: '2000',
    MILLRACE_SWEEP_MS: '1000',
  };
}

const ended = ({ feeds }: WorldSize, items: Items) => ({
  status: 'completed',
  feeds: { total: feeds, done: feeds, failed: 0 },
  items,
});

/** Runs one import. The API is killed as soon as it has answered, after that a random process. */
async function runOne(fleet: Fleet, world: WorldOfFeeds, { random, kills, pauseMs }: Storm & { random: () => number }) {
  const { id } = await fleet.ask<Import>('/imports/start', { feeds: world.urls });
  const look = () => fleet.ask<Import>(`/imports/${id}`);
  const over = new AbortController();
  const killing = keepKilling(fleet, { random, pauseMs, most: kills.most, signal: over.signal });
  try {
    for (let now = await look(); now.status === 'running'; now = await look()) {
      stayWithin(now.items, world.itemCount);
      await sleep(POLL_MS);
    }
  } finally {
    over.abort();
    await killing;
  }
  expect(await killing).toBeGreaterThanOrEqual(kills.least);
  return look();
}

interface Killing {
  random: () => number;
  pauseMs: number;
  most: number;
  signal: AbortSignal;
}

/** Returns the number of kills. */
async function keepKilling(fleet: Fleet, { random, pauseMs, most, signal }: Killing): Promise<number> {
  let kills = 0;
  for (let victim: number | undefined = fleet.front; kills < most && !signal.aborted; ) {
    if (victim !== undefined) {
      await fleet.strike(victim);
      kills += 1;
    }
    await sleep((0.5 + random()) * pauseMs, undefined, { signal }).catch(() => undefined);
    victim = fleet.victims[Math.floor(random() * fleet.victims.length)];
  }
  return kills;
}

/** No item is counted twice at any moment. */
function stayWithin({ found, ...outcomes }: Items, all: number): void {
  const told = Object.values(outcomes).reduce((total, count) => total + count, 0);
  expect(found).toBeLessThanOrEqual(all);
  expect(told).toBeLessThanOrEqual(found);
}

/** What the tables contain. */
async function storedIn(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: posts } = await client.query<{ source: string; hash: string }>(
      'SELECT source_id AS source, content_hash AS hash FROM posts ORDER BY id',
    );
    const { rows: letters } = await client.query('SELECT id FROM dead_letters');
    const { rows: items } = await client.query<{ count: number }>(
      'SELECT count(*)::int FROM import_items GROUP BY import_id ORDER BY import_id',
    );
    const counts = {
      posts: posts.length,
      sources: new Set(posts.map(({ source }) => source)).size,
      deadLetters: letters.length,
      items: items.map(({ count }) => count),
    };
    return { counts, hashes: posts.map(({ hash }) => hash) };
  } finally {
    await client.end();
  }
}
