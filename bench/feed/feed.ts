import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { Cache } from '../../src/platform/cache/cache.js';
import { Database } from '../../src/platform/database/database.js';
import { PreparedQuery } from '../../src/platform/database/prepared-query.js';
import { Events } from '../../src/platform/events/events.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { Timeline } from '../../src/posts/timeline.js';
import { TimelineStore } from '../../src/posts/timeline.store.js';
import { TimelineChanges } from '../../src/posts/timeline-changes.js';
import { positionAfter, type TimelinePosition } from '../../src/posts/timeline-position.js';
import { progress } from '../harness/progress.js';
import { withBenchPostgres } from '../harness/servers.js';
import type { Measurement } from '../report.js';
import { inMs, Times } from './times.js';
import { measureUnread } from './unread.js';
import { type Kind, makeFeedWorld, POSTS } from './world.js';

const PAGE = 50;
const ROUNDS = 150;
const WARM_UP = 10;
const PAGES = [1, 2, 20, 200];
const MAX_RATIO_TO_BARE = 15;
const WORST_TO_BEST = 3;
const CACHED_TIMES_BARE = 1.5;

interface Place {
  kind: Kind;
  page: number;
  userId: string;
  after: TimelinePosition | undefined;
}

/** Measures timelines of 1,000 follows over 1,000,000 posts against reading 50 posts by primary key. */
export async function run(): Promise<Measurement[]> {
  return withBenchPostgres(async (databaseUrl) => {
    const database = new Database(databaseUrl);
    const events = new Events(database, SILENT);
    try {
      progress(`making ${POSTS} posts`);
      const places = await placesToRead(new TimelineStore(database), await makeFeedWorld(database));
      progress('reading pages');
      await events.onApplicationBootstrap();
      const pages = report(await measure(database, events, places), places);
      return [...pages, ...(await measureUnread(database, events))];
    } finally {
      await events.onApplicationShutdown();
      await database.onApplicationShutdown();
    }
  });
}

const SILENT = pino({ level: 'silent' });

/** The variants alternate, so that other load on the machine affects all alike. */
async function measure(database: Database, events: Events, places: Place[]): Promise<Times> {
  const store = new TimelineStore(database);
  const changes = new TimelineChanges(events, database, SILENT);
  changes.onModuleInit();
  const cache = new Cache({ redisUrl: undefined, cacheTtlMs: 3_600_000 }, SILENT, new Metrics(SILENT));
  const timeline = new Timeline(store, changes, cache);
  const times = new Times();
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    if (round === 0) times.clear();
    for (const place of places.filter((_, index) => index % 3 === Math.abs(round) % 3)) {
      const { userId, kind, page } = place;
      await times.add('bare', () => bareRead(database));
      await times.add(label(kind, page), () => readPage(store, place));
      await times.add(`${kind} cached`, () => timeline.page(userId, {}, { limit: PAGE }));
    }
  }
  return times;
}

const fiftyRows = new PreparedQuery(sql`
  SELECT id, source_id, external_id, title, url, safe_content, published_at, author, media, metrics FROM posts
  WHERE id >= ${sql.placeholder('from')}::bigint ORDER BY id LIMIT ${PAGE}::int`);

const bareRead = ({ pool }: Database) => fiftyRows.run(pool, { from: Math.ceil(Math.random() * (POSTS - PAGE)) });

/** Does the work of a request that finds nothing in the cache. */
async function readPage(store: TimelineStore, { userId, after }: Place) {
  const posts = await store.list(userId, {}, { after, limit: PAGE + 1 });
  await store.asReadBy(userId, posts.slice(0, PAGE));
  return posts;
}

/** Walks each user's timeline and records where the measured pages begin. */
async function placesToRead(store: TimelineStore, users: Map<Kind, string[]>): Promise<Place[]> {
  const places: Place[] = [];
  for (const [kind, ids] of users) {
    for (const userId of ids) {
      let after: TimelinePosition | undefined;
      for (let page = 1; page <= Math.max(...PAGES); page++) {
        if (PAGES.includes(page)) places.push({ kind, page, userId, after });
        const posts = await readPage(store, { kind, page, userId, after });
        if (posts.length <= PAGE) break;
        after = positionAfter(posts.slice(0, PAGE));
      }
    }
  }
  return places;
}

const label = (kind: Kind, page: number) => `${kind}, page ${page}`;

function report(times: Times, places: Place[]): Measurement[] {
  const bare = times.p95('bare');
  const kinds = [...new Set(places.map(({ kind }) => kind))];
  const pages = kinds.flatMap((kind) =>
    PAGES.filter((page) => has(places, kind, page)).map((page) => label(kind, page)),
  );
  const ofKinds = kinds.map((kind) => times.p95(...pages.filter((page) => page.startsWith(`${kind}, `))));
  const spread = Math.max(...ofKinds) / Math.min(...ofKinds);
  return [
    { what: 'bare read of 50 posts, p95', value: inMs(bare) },
    ...pages.map((page) => compared(`${page}, p95`, times.p95(page), { bare, most: MAX_RATIO_TO_BARE })),
    ...kinds.map((kind) =>
      compared(`${kind}, cached, p95`, times.p95(`${kind} cached`), { bare, most: CACHED_TIMES_BARE }),
    ),
    {
      what: 'slowest kind of user to fastest, p95 of all pages',
      value: spread.toFixed(1),
      target: `at most ${WORST_TO_BEST}`,
      met: spread <= WORST_TO_BEST,
    },
  ];
}

const has = (places: Place[], kind: Kind, page: number) =>
  places.some((place) => place.kind === kind && place.page === page);

function compared(what: string, ms: number, { bare, most }: { bare: number; most: number }): Measurement {
  const ratio = ms / bare;
  return { what, value: `${inMs(ms)}, ${ratio.toFixed(1)} ×`, target: `at most ${most} ×`, met: ratio <= most };
}
