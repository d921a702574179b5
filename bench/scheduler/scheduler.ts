import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { Activity } from '../../src/auth/users/activity.js';
import { intervalRules } from '../../src/fetching/intervals/interval-rules.js';
import { fetchJobs } from '../../src/fetching/run/fetch-jobs.js';
import { loseFollowers } from '../../src/fetching/schedule/lost-followers.js';
import { Recount } from '../../src/fetching/schedule/recount.js';
import { RequestPrices } from '../../src/fetching/schedule/request-prices.js';
import { tierPriority } from '../../src/fetching/schedule/tier-priority.js';
import { SourceCatalogue } from '../../src/fetching/source-catalogue.js';
import { parseConfig } from '../../src/platform/config.js';
import { Database } from '../../src/platform/database/database.js';
import { Events } from '../../src/platform/events/events.js';
import { Clock } from '../../src/platform/time/clock.js';
import { fetchStates } from '../../src/sources/fetch-states.table.js';
import { withBenchPostgres } from '../harness/servers.js';
import { type Measurement, median } from '../report.js';
import { FOLLOWS, makeSources, SOURCES, USERS } from './sources.js';

const RECOUNT_SECONDS = 3;
const CLAIM_MS = 50;
const CLAIMS_PER_SECOND = 20_000;
const BATCH = 1_000;
const ROUNDS = 3;

/**
 * Measures a million sources: computing the active followers and next time of each, and claiming those that are due.
 */
export async function run(): Promise<Measurement[]> {
  return withBenchPostgres(async (databaseUrl) => {
    const database = new Database(databaseUrl);
    await makeSources(database.db);
    const report = [...(await recounts(database)), ...(await claims(database))];
    await database.onApplicationShutdown();
    return report;
  });
}

async function recounts(database: Database): Promise<Measurement[]> {
  const recount = makeRecount(database);
  const first = await round(database, recount);
  const rounds: number[] = [];
  for (let n = 0; n < ROUNDS; n++) {
    await fallSilent(database);
    rounds.push(await round(database, recount));
    await checkCounts(database);
  }
  const full: number[] = [];
  for (let n = 0; n < ROUNDS; n++) {
    await fallSilent(database);
    await activate(database, CHANGING_USERS);
    full.push(await round(database, makeRecount(database)));
  }
  await activate(database, USERS);
  const everybody = await round(database, makeRecount(database));
  await checkCounts(database);
  const size = `${SOURCES / 1e6} M sources, ${FOLLOWS / 1e6} M follows, ${USERS / 1e3} k users`;
  return [
    { what: `${size}: recount after 5 % of the active have gone`, ...within(median(rounds)) },
    { what: '  full count, when as many have also come without being counted', value: `${median(full).toFixed(1)} s` },
    { what: '  worst: every source is counted and scheduled for the first time', value: `${first.toFixed(1)} s` },
    { what: '  worst: everybody else turns active at once', value: `${everybody.toFixed(1)} s` },
  ];
}

/** In production there are five minutes between two rounds, so the work of autovacuum is done before each round. */
async function round({ db }: Database, recount: Recount): Promise<number> {
  await db.execute(sql`VACUUM ANALYZE users`);
  await db.execute(sql`VACUUM ANALYZE fetch_states`);
  await db.execute(sql`CHECKPOINT`);
  const start = performance.now();
  await recount.run();
  return (performance.now() - start) / 1_000;
}

const CHANGING_USERS = Math.round(USERS * 0.3 * 0.05);

/** In production users are counted when they return, so a recount finds only those who have gone. */
async function fallSilent({ db }: Database): Promise<void> {
  await db.execute(sql`
    UPDATE users SET last_seen_at = now() - interval '25 hours'
    WHERE id IN (SELECT id FROM users WHERE active ORDER BY random() LIMIT ${CHANGING_USERS})`);
}

/** Makes users active behind the back of the counters, which only a full count notices. */
async function activate({ db }: Database, users: number): Promise<void> {
  await db.execute(sql`
    UPDATE users SET active = true, last_seen_at = now()
    WHERE id IN (SELECT id FROM users WHERE NOT active ORDER BY random() LIMIT ${users})`);
}

async function checkCounts({ db }: Database): Promise<void> {
  const { rows } = await db.execute<{ wrong: number }>(sql`
    SELECT count(*)::int AS wrong FROM fetch_states LEFT JOIN (
      SELECT source_id, count(*) AS counted FROM follows JOIN users ON users.id = user_id AND active GROUP BY source_id
    ) AS counts ON source_id = id
    WHERE active_followers <> coalesce(counted, 0)`);
  if (rows[0]?.wrong !== 0) throw new Error(`${rows[0]?.wrong} sources were counted wrongly`);
}

function makeRecount(database: Database): Recount {
  const config = parseConfig({});
  const log = pino({ level: 'silent' });
  const clock = new Clock();
  const activity = new Activity(database, clock, log, config);
  activity.onRetire(loseFollowers);
  const rules = intervalRules(config);
  // Recounting sends no requests and calls no workers.
  const catalogue = new SourceCatalogue(config, { checkAddress: () => undefined }, { isConfigured: false });
  const prices = new RequestPrices(config, database, clock, new Events(database, log), catalogue);
  return new Recount(database, rules, activity, clock, prices);
}

async function claims(database: Database): Promise<Measurement[]> {
  const { db } = database;
  await db.execute(sql`UPDATE fetch_states SET next_fetch_at = now() - random() * interval '1 hour'`);
  await db.execute(sql`VACUUM ANALYZE fetch_states`);
  const alone = await claim(database, 200);
  const start = performance.now();
  const both = await Promise.all([claim(database, 200), claim(database, 200)]);
  const together = (both.flatMap(({ ids }) => ids).length / (performance.now() - start)) * 1_000;
  const ids = [alone, ...both].flatMap((claimed) => claimed.ids);
  const twice = ids.length - new Set(ids).size;
  return [
    { what: `claiming ${BATCH} due sources, p95`, ...underMs(percentile(alone.times, 0.95)) },
    { what: '  sources a second', ...atLeast((alone.ids.length / sum(alone.times)) * 1_000) },
    { what: '  sources a second, two claimers', ...atLeast(together) },
    { what: `  claimed twice, of ${ids.length}`, value: String(twice), target: '0', met: twice === 0 },
  ];
}

async function claim({ db }: Database, batches: number): Promise<{ ids: string[]; times: number[] }> {
  const rows = fetchJobs({ remoteTypes: [] }).get('rss')?.rows;
  if (!rows) throw new Error('there is no job that fetches feeds');
  const ids: string[] = [];
  const times: number[] = [];
  for (let batch = 0; batch < batches; batch++) {
    const due = { column: fetchStates.nextFetchAt, now: new Date(), limit: BATCH, priority: tierPriority };
    const start = performance.now();
    const claimed = await rows.takeDue(db, due);
    times.push(performance.now() - start);
    for (const { id } of claimed) ids.push(id);
  }
  return { ids, times };
}

const within = (seconds: number) => ({
  value: `${seconds.toFixed(1)} s`,
  target: `under ${RECOUNT_SECONDS} s`,
  met: seconds < RECOUNT_SECONDS,
});
const underMs = (ms: number) => ({ value: `${ms.toFixed(1)} ms`, target: `under ${CLAIM_MS} ms`, met: ms < CLAIM_MS });
const atLeast = (perSecond: number) => ({
  value: perSecond.toFixed(0),
  target: `at least ${CLAIMS_PER_SECOND}`,
  met: perSecond >= CLAIMS_PER_SECOND,
});
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
const percentile = (values: number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN;
