import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { newDataFolder } from '../harness/data-folder.js';
import { FeedSite } from '../harness/feed-site.js';
import type { OwnPostgres } from '../harness/postgres.js';
import { type MillraceProcess, startMillrace } from '../program/millrace-process.js';
import { printedSeed, seededRandom } from '../program/seeded-random.js';
import { StormReader } from './storm-reader.js';

const KEY = 'an-admin-key-for-this-storm-only';
const WAIT_OPTIONS = { timeout: 120_000, interval: 1_000 };
const TICK_MS = 100;

export interface Storm {
  feeds: number;
  readers: number;
  seconds: number;
  postgres: OwnPostgres;
}

/**
 * Feeds with different rhythms post while their followers read, a worker is killed and the database restarted. In the end
 * every post is in every follower's timeline once.
 */
export async function weather({ feeds, readers, seconds, postgres }: Storm): Promise<void> {
  const random = seededRandom(printedSeed());
  const site = await FeedSite.start();
  const world = new World(site, feeds, random);
  const start = (roles: string) => startMillrace(environment(postgres.url, roles));
  const front = start('api,scheduler');
  let worker = start('worker');
  const people = await settle(front, world, { readers, random });

  const end = Date.now() + seconds * 1_000;
  const reading = people.map((reader) => reader.keepReading(end));
  const posting = world.keepPosting(end);
  await sleep((seconds / 3) * 1_000);
  await worker.end('SIGKILL');
  worker = start('worker');
  await sleep((seconds / 3) * 1_000);
  // A process that finds no database at its start ends, and nothing would be fetched any more.
  await worker.printed(/"running"/);
  await postgres.restart();
  await Promise.all([posting, ...reading]);

  for (const reader of people) {
    await vi.waitFor(async () => {
      await reader.refresh();
      const missing = reader.missing(await reader.wholeTimeline());
      expect(missing.slice(0, 5)).toEqual([]);
    }, WAIT_OPTIONS);
    const titles = await reader.wholeTimeline();
    expect(titles.length).toBe(new Set(titles).size);
    expect(titles.toSorted()).toEqual(reader.expected().toSorted());
  }
  for (const each of [worker, front]) expect(await each.end('SIGTERM')).toEqual({ code: 0, signal: null });
}

function environment(databaseUrl: string, roles: string): Record<string, string> {
  return {
    MILLRACE_DATA_DIR: newDataFolder(),
    MILLRACE_ADMIN_KEY: KEY,
    MILLRACE_ALLOW_NETWORKS: '127.0.0.1',
    MILLRACE_HOST_CONCURRENCY: '20',
    MILLRACE_CACHE_TTL: '5s',
    MILLRACE_MIN_INTERVAL: '1s',
    MILLRACE_JOB_LOCK_MS: '2000',
    MILLRACE_SWEEP_MS: '1000',
    MILLRACE_REQUESTS_PER_MINUTE: '100000',
    DATABASE_URL: databaseUrl,
    MILLRACE_ROLES: roles,
    PORT: roles.includes('api') ? '0' : '',
  };
}

async function settle(
  front: MillraceProcess,
  world: World,
  { readers, random }: { readers: number; random: () => number },
) {
  const address = await front.address();
  return Promise.all(
    Array.from({ length: readers }, async (_, at) => {
      const paths = world.paths.filter(() => random() < 0.5);
      const reader = new StormReader({ address, key: KEY, name: `reader-${at}` }, { paths, world });
      await reader.follow();
      return reader;
    }),
  );
}

/** Feeds of one site, each with its own rhythm. */
export class World {
  readonly paths: string[];
  private readonly titles = new Map<string, string[]>();
  private readonly pauses = new Map<string, number>();

  constructor(
    readonly site: FeedSite,
    feeds: number,
    private readonly random: () => number,
  ) {
    this.paths = Array.from({ length: feeds }, (_, at) => `/feed-${at}`);
    for (const path of this.paths) {
      this.pauses.set(path, 2_000 * 40 ** random());
      this.post(path);
    }
  }

  titlesOf(path: string): string[] {
    return this.titles.get(path) ?? [];
  }

  /** At every moment each feed posts with the probability that produces its usual interval. */
  async keepPosting(end: number): Promise<void> {
    while (Date.now() < end) {
      for (const [path, pause] of this.pauses) if (this.random() < TICK_MS / pause) this.post(path);
      await sleep(TICK_MS);
    }
  }

  private post(path: string): void {
    const titles = this.titlesOf(path);
    const title = `${path} post ${titles.length + 1}`;
    this.titles.set(path, [...titles, title]);
    this.site.publish(path, { guid: title, title, publishedAt: new Date() });
  }
}
