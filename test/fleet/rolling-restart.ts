import { sql } from 'drizzle-orm';
import { expect, onTestFinished, vi } from 'vitest';
import { Database } from '../../src/platform/database/database.js';
import { FeedSite } from '../harness/feed-site.js';
import { FakeWebhookPublishing } from '../platforms/fake-webhook-publishing.js';
import { newDatabase } from '../program/new-database.js';
import { TaskRows } from '../program/task-rows.js';
import { SECRET_KEY } from '../publishing/seeded-publications.js';
import { Fleet } from './fleet.js';
import { LoadBalancer } from './load-balancer.js';
import { SteadyLoad } from './steady-load.js';

/** Two API processes, two schedulers and three workers. */
const ROLES = ['worker', 'worker', 'worker', 'scheduler', 'scheduler', 'api', 'api'];
const API_PATIENCE = { timeout: 60_000, interval: 100 };
const SOME_FEEDS = 5;
const WAIT_OPTIONS = { timeout: 120_000, interval: 250 };

export interface Servers {
  redisUrl: string;
  /** How long an API process answers requests after SIGTERM. */
  drainMs: number;
  /** Pause between two rounds of requests. */
  everyMs: number;
}

/** A fleet behind a load balancer, with clients that use it. */
export async function startUsedFleet({ redisUrl, drainMs, everyMs }: Servers) {
  const [databaseUrl, site, webhook] = [await newDatabase(), await FeedSite.start(), await startWebhook()];
  const environment = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    MILLRACE_SECRET_KEYS: SECRET_KEY,
    MILLRACE_DRAIN_MS: `${drainMs}`,
    MILLRACE_ALLOW_NETWORKS: '127.0.0.1',
    MILLRACE_HOST_CONCURRENCY: '50',
    MILLRACE_REQUESTS_PER_MINUTE: '1000000',
  };
  const fleet = new Fleet(environment, ROLES);
  const rows = new TaskRows(databaseUrl);
  const database = new Database(databaseUrl);
  onTestFinished(async () => void (await Promise.all([rows.close(), database.onApplicationShutdown()])));
  await fleet.ready();
  await rows.create();
  const balancer = await LoadBalancer.start(() => fleet.apiAddresses());
  await allInService(fleet, balancer);
  const load = new SteadyLoad({ url: balancer.url, site, webhook, everyMs });
  await load.begin();
  onTestFinished(() => load.end());
  return { fleet, balancer, load, rows, database, site, webhook };
}

export type UsedFleet = Awaited<ReturnType<typeof startUsedFleet>>;

async function startWebhook(): Promise<FakeWebhookPublishing> {
  const webhook = await FakeWebhookPublishing.start();
  onTestFinished(() => webhook.close());
  return webhook;
}

/**
 * As Kubernetes updates deployments: those of each role at the same time, in each one after the other. The next goes only
 * when this one is back and, if it answers requests, gets them again.
 */
export async function restartAll({ fleet, balancer }: UsedFleet): Promise<void> {
  const chains = ['worker', 'scheduler', 'api'].map(async (role) => {
    for (const at of fleet.withRole(role)) {
      expect(await fleet.restart(at)).toBe(0);
      if (role === 'api') await allInService(fleet, balancer);
    }
  });
  await Promise.all(chains);
}

async function allInService(fleet: Fleet, balancer: LoadBalancer): Promise<void> {
  const all = fleet.withRole('api').length;
  await vi.waitFor(() => expect(balancer.inService).toHaveLength(all), API_PATIENCE);
}

/** Waits until some feeds have been fetched, and makes them due again. Returns their paths. */
export async function makeDue({ database, site }: UsedFleet): Promise<string[]> {
  await vi.waitFor(() => expect(site.log.length).toBeGreaterThan(SOME_FEEDS), WAIT_OPTIONS);
  const { rows } = await database.db.execute<{ url: string }>(sql`
    UPDATE fetch_states SET next_fetch_at = now() FROM sources
    WHERE sources.id = fetch_states.id AND job_state <> 'waiting' AND next_fetch_at > now() + interval '1 minute'
    RETURNING external_id AS url`);
  return rows.map(({ url }) => url.slice(site.url('').length));
}

/** Once the load has ended: every request was answered, and everything is done once. `killed`: jobs that may have begun twice. */
export async function expectAllOnce(used: UsedFleet, dueAgain: string[], { killed = 0 } = {}): Promise<void> {
  const { load, balancer, rows, webhook, site } = used;
  expect([...balancer.failures, ...load.failures]).toEqual([]);
  await vi.waitFor(async () => expect(await rows.summary()).toMatchObject({ notDone: 0 }), WAIT_OPTIONS);
  const { runs = 0, ...tasks } = (await rows.summary()) ?? {};
  expect(tasks).toEqual({ tasks: load.tasks, notDone: 0, notOnce: 0, dead: 0 });

  await vi.waitFor(() => expect(webhook.posts).toHaveLength(load.texts.length), WAIT_OPTIONS);
  expect(webhook.posts.map(({ text }) => text).sort()).toEqual(load.texts.toSorted());
  const sent = webhook.received.filter(({ headers }) => headers['idempotency-key']).length;

  const wanted = (path: string) => (dueAgain.includes(path) ? 2 : 1);
  const lacking = () => load.feeds.filter((path) => site.requests(path).length < wanted(path));
  await vi.waitFor(() => expect(lacking()).toEqual([]), WAIT_OPTIONS);
  const unwanted = load.feeds.reduce((sum, path) => sum + site.requests(path).length - wanted(path), 0);
  expect(runs - load.tasks + sent - load.texts.length + unwanted).toBeLessThanOrEqual(killed);
}
