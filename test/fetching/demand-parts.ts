import { eq, inArray, sql } from 'drizzle-orm';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { Activity } from '../../src/auth/users/activity.js';
import { users } from '../../src/auth/users/users.table.js';
import { intervalRules } from '../../src/fetching/intervals/interval-rules.js';
import { ActiveFollowers } from '../../src/fetching/schedule/active-followers.js';
import { FetchScheduler } from '../../src/fetching/schedule/fetch-scheduler.js';
import { Freshness } from '../../src/fetching/schedule/freshness.js';
import { Recount } from '../../src/fetching/schedule/recount.js';
import { RequestPrices } from '../../src/fetching/schedule/request-prices.js';
import { RequestedFetches } from '../../src/fetching/schedule/requested-fetches.js';
import { SourceCatalogue } from '../../src/fetching/source-catalogue.js';
import { Following } from '../../src/following/following.js';
import { type Config, parseConfig } from '../../src/platform/config.js';
import type { Database } from '../../src/platform/database/database.js';
import { Events } from '../../src/platform/events/events.js';
import { Jobs } from '../../src/platform/jobs/jobs.js';
import { createQueueBackend } from '../../src/platform/jobs/queue-backend.js';
import { Sweep } from '../../src/platform/jobs/sweep.js';
import { Periodic } from '../../src/platform/time/periodic.js';
import { ReadingChanges } from '../../src/posts/reading/reading-changes.js';
import { type FetchState, fetchStates } from '../../src/sources/fetch-states.table.js';
import { FollowsStore } from '../../src/sources/follows.store.js';
import { SourcesStore } from '../../src/sources/sources.store.js';
import { TestClock } from '../harness/api.js';
import { outgoingClient } from '../harness/outgoing.js';

/** The components of one process that decide what is fetched. Several may share a database and a clock. */
export function demandParts(database: Database, clock = new TestClock(), given: Partial<Config> = {}) {
  const config: Config = { ...parseConfig({}), policy: 'tiers', ...given };
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => lines.push(line) });
  const backend = createQueueBackend({ databaseUrl: database.url });
  onTestFinished(() => backend.close());
  const jobs = new Jobs(config, backend, log);
  const catalogue = new SourceCatalogue(config, outgoingClient(database), { isConfigured: false });
  const periodic = new Periodic(config, log);
  const activity = new Activity(database, clock, log, config);
  const rules = intervalRules(config);
  const followers = new ActiveFollowers(activity, clock, jobs, catalogue, rules);
  followers.onModuleInit();
  const events = new Events(database, log);
  const prices = new RequestPrices(config, database, clock, events, catalogue);
  const queuedJobs = async () =>
    (await Promise.all([...catalogue.jobs.values()].map(({ name }) => backend.queue(name).getJobs()))).flat();
  return {
    activity,
    clock,
    followers,
    freshness: new Freshness(config, log, database, clock, new RequestedFetches(database, jobs, catalogue)),
    /** Log lines of the level `warn` and above. */
    lines,
    following: new Following(database, new SourcesStore(), new FollowsStore(), followers, new ReadingChanges(events)),
    recount: new Recount(database, rules, activity, clock, prices),
    scheduler: new FetchScheduler(config, database, clock, jobs, periodic, catalogue),
    catalogue,
    sweep: new Sweep(
      config,
      database,
      { all: () => [...catalogue.jobs.values()].map((job) => [job]) } as never,
      jobs,
      periodic,
    ),
    async seen(userId: string) {
      activity.seen(userId);
      await activity.beforeApplicationShutdown();
    },
    /** Returns the ids of the sources that have jobs in the queues. */
    async queued(): Promise<string[]> {
      return (await queuedJobs()).map(({ data }) => data.subject);
    },
    /** Returns the same ids with the priorities of their newest jobs. */
    async queuedPriorities(): Promise<Record<string, number>> {
      const jobs = (await queuedJobs()).toSorted((a, b) => (a.data.run ?? 0) - (b.data.run ?? 0));
      return Object.fromEntries(jobs.map(({ data, priority }) => [data.subject, priority]));
    },
  };
}

export type DemandParts = ReturnType<typeof demandParts>;

export async function newUser({ db }: Database): Promise<string> {
  const [user] = await db.insert(users).values({}).returning();
  if (!user) throw new Error('no user was made');
  return user.id;
}

let made = 0;
export const newFeed = () => ({ type: 'rss', externalId: `https://example.org/demand/${++made}` });

export async function stateOf({ db }: Database, sourceId: string): Promise<FetchState> {
  const [state] = await db.select().from(fetchStates).where(eq(fetchStates.id, sourceId));
  if (!state) throw new Error(`source ${sourceId} is not there`);
  return state;
}

/** Sets the state of sources as a fetch leaves it. */
export async function fetched(database: Database, sourceIds: string[], state: Partial<FetchState>): Promise<void> {
  await database.db
    .update(fetchStates)
    .set({ jobState: 'done', ...state })
    .where(inArray(fetchStates.id, sourceIds));
}

/** Returns the counters that disagree with the follows and users. */
export async function wrongCounters({ db }: Database): Promise<Record<string, unknown>[]> {
  const { rows } = await db.execute(sql`
    SELECT id, active_followers, counted FROM fetch_states, LATERAL (
      SELECT count(*)::int AS counted, min(max_delay_minutes) * 60 AS wished
      FROM follows JOIN users ON users.id = user_id AND active WHERE source_id = fetch_states.id
    ) AS counts WHERE active_followers <> counted OR wish_seconds IS DISTINCT FROM wished`);
  return rows;
}
