import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { Activity } from '../../src/auth/users/activity.js';
import { intervalRules } from '../../src/fetching/intervals/interval-rules.js';
import { fetchJobs } from '../../src/fetching/run/fetch-jobs.js';
import { Recount } from '../../src/fetching/schedule/recount.js';
import { RequestPrices } from '../../src/fetching/schedule/request-prices.js';
import { tierPriority } from '../../src/fetching/schedule/tier-priority.js';
import { SourceCatalogue } from '../../src/fetching/source-catalogue.js';
import { parseConfig } from '../../src/platform/config.js';
import { Database } from '../../src/platform/database/database.js';
import { Events } from '../../src/platform/events/events.js';
import { Clock } from '../../src/platform/time/clock.js';
import { Periodic } from '../../src/platform/time/periodic.js';
import { fetchStates } from '../../src/sources/fetch-states.table.js';
import { withBenchServers } from '../harness/servers.js';
import { type Measurement, median } from '../report.js';
import { FOLLOWS, makeSources, SOURCES, USERS } from './sources.js';

const RECOUNT_SECONDS = 10;
const CLAIM_MS = 50;
const CLAIMS_PER_SECOND = 20_000;
const BATCH = 1_000;
const ROUNDS = 3;

/**
 * Measures a million sources: computing the active followers and next time of each, and claiming those that are due.
 */
export async function run(): Promise<Measurement[]> {
  return withBenchServers(async ({ databaseUrl }) => {
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
    await turnOver(database);
    rounds.push(await round(database, recount));
  }
  await database.db.execute(sql`UPDATE users SET active = true, last_seen_at = now()`);
  const everybody = await round(database, recount);
  const { rows } = await database.db.execute<{ wrong: number }>(sql`
    SELECT count(*)::int AS wrong FROM fetch_states
    WHERE active_followers <> (SELECT count(*) FROM follows WHERE source_id = fetch_states.id)`);
  if (rows[0]?.wrong !== 0) throw new Error(`${rows[0]?.wrong} sources were counted wrongly`);
  const size = `${SOURCES / 1e6} M sources, ${FOLLOWS / 1e6} M follows, ${USERS / 1e3} k users`;
  return [
    { what: `${size}: recount and reschedule, 5 % of the active have gone, as many come`, ...within(median(rounds)) },
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

/**
 * Some users become inactive and as many become active without having been counted, which is more work than real
 * returns.
 */
async function turnOver({ db }: Database): Promise<void> {
  const some = Math.round(USERS * 0.3 * 0.05);
  const pick = (active: boolean) => sql`SELECT id FROM users WHERE active = ${active} ORDER BY random() LIMIT ${some}`;
  await db.execute(sql`UPDATE users SET last_seen_at = now() - interval '25 hours' WHERE id IN (${pick(true)})`);
  await db.execute(sql`UPDATE users SET active = true, last_seen_at = now() WHERE id IN (${pick(false)})`);
}

function makeRecount(database: Database): Recount {
  const config = parseConfig({});
  const log = pino({ level: 'silent' });
  const clock = new Clock();
  const activity = new Activity(database, clock, log, config);
  const rules = intervalRules(config);
  // Recounting sends no requests and calls no workers.
  const catalogue = new SourceCatalogue(config, { checkAddress: () => undefined }, { isConfigured: false });
  const prices = new RequestPrices(config, rules, database, clock, new Events(database, log), catalogue);
  return new Recount(config, rules, database, activity, clock, new Periodic(config, log), prices);
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
