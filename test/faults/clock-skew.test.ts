import { sql } from 'drizzle-orm';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Database } from '../../src/platform/database/database.js';
import { FLEET_KEY, Fleet } from '../fleet/fleet.js';
import { FeedSite } from '../harness/feed-site.js';
import { redisUrl } from '../harness/redis.js';
import { thisMachine } from '../harness/servers/machine.js';
import { whyNoFaketime } from '../harness/servers/server-choice.js';
import { FakeWebhookPublishing, WEBHOOK_SECRET } from '../platforms/fake-webhook-publishing.js';
import { ask } from '../program/api-client.js';
import type { Environment } from '../program/millrace-process.js';
import { newDatabase } from '../program/new-database.js';
import { TaskRows } from '../program/task-rows.js';
import { SECRET_KEY } from '../publishing/seeded-publications.js';

const machine = thisMachine();
const library = machine.given('faketime') ?? machine.installed('faketime');
const redis = redisUrl();

const CLOCKS = ['+5m', '-5m'];
const POSTS = 6;
const IMPORTED = 5;
/** From when everything is asked for until the first post is due. */
const AHEAD_MS = 20_000;
/** What a busy machine may add. A clock that is five minutes off adds more. */
const LATE_MS = 60_000;
const WITHIN_A_MINUTE = { timeout: 60_000, interval: 250 };
const UNTIL_DONE = { timeout: 120_000, interval: 250 };

const skewed = (clock: string): Environment => ({
  LD_PRELOAD: library ?? '',
  FAKETIME: clock,
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
});

/** A process of each role with a clock ahead, and another with a clock behind. The first API answers the test. */
async function startSkewedFleet(environment: Environment) {
  const database = new Database(await newDatabase());
  onTestFinished(() => database.onApplicationShutdown());
  const fleet = new Fleet(
    {
      DATABASE_URL: database.url,
      MILLRACE_SECRET_KEYS: SECRET_KEY,
      MILLRACE_ALLOW_NETWORKS: '127.0.0.1',
      MILLRACE_HOST_CONCURRENCY: '20',
      MILLRACE_IMPORT_RATE: '1',
      MILLRACE_JOB_LOCK_MS: '3000',
      ...environment,
    },
    [],
  );
  await Promise.all(
    ['api', 'scheduler', 'worker'].flatMap((role) => CLOCKS.map((clock) => fleet.add(role, skewed(clock)))),
  );
  const tasks = new TaskRows(database.url);
  onTestFinished(() => tasks.close());
  await tasks.create();
  const send = async <T>(path: string, body?: object): Promise<T> => {
    const url = `${fleet.apiAddresses()[0]}/api/v1${path}`;
    const isForAdmins = path === '/health';
    const answer = await ask(url, { key: FLEET_KEY, ...(!isForAdmins && { user: 'somebody' }), ...(body && { body }) });
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  return { fleet, database, tasks, send };
}
type Skewed = Awaited<ReturnType<typeof startSkewedFleet>>;

/** Every process is named, with how far its clock is off. */
async function expectAlerts({ fleet, send }: Skewed): Promise<void> {
  const all = CLOCKS.flatMap((_, clock) => [0, 2, 4].map((role) => role + clock)).toSorted();
  const wanted = all.map((at) => `process ${fleet.process(at).pid} ${at % 2 ? 'behind' : 'ahead'}`).toSorted();
  await vi.waitFor(async () => expect((await clockAlerts(send)).toSorted()).toEqual(wanted), WITHIN_A_MINUTE);
}

async function clockAlerts(send: Skewed['send']): Promise<string[]> {
  const { alerts } = await send<{ alerts: { code: string; message: string }[] }>('/health');
  return alerts
    .filter(({ code }) => code === 'clock_skew')
    .map(({ message }) => {
      const [, pid, seconds, side] = /process (\d+) on .* is (\S+) s (ahead|behind)/.exec(message) ?? [];
      expect(Math.round(Number(seconds)), message).toBe(300);
      return `process ${pid} ${side}`;
    });
}

/** Posts that are due soon; each may not be out before its time, and expires not long after it. */
async function schedulePosts({ send }: Skewed, webhook: FakeWebhookPublishing) {
  const credentials = { url: `${webhook.url}hook`, secret: WEBHOOK_SECRET };
  const { id: accountId } = await send<{ id: string }>('/accounts', { platform: 'webhook', name: 'mine', credentials });
  const due = new Map<string, number>();
  const first = Date.now() + AHEAD_MS;
  for (let post = 0; post < POSTS; post++) {
    const [text, at] = [`Post ${post}`, first + post * 500];
    const times = { scheduledAt: new Date(at).toISOString(), expiresAt: new Date(at + LATE_MS).toISOString() };
    await send('/publications', { accountId, content: { text }, ...times });
    due.set(text, at);
  }
  await send('/publications', { accountId, content: { text: 'Now' } });
  return due.set('Now', Date.now() - LATE_MS / 2);
}

async function expectPostsInTime(webhook: FakeWebhookPublishing, due: Map<string, number>): Promise<void> {
  await vi.waitFor(() => expect(webhook.posts.length).toBeGreaterThanOrEqual(due.size), UNTIL_DONE);
  expect(webhook.posts.map(({ text }) => text).toSorted()).toEqual([...due.keys()].toSorted());
  const offBy = webhook.posts.map(({ text, at }) => ({ text, ms: at.getTime() - (due.get(text) ?? 0) }));
  expect(offBy.filter(({ ms }) => ms < 0)).toEqual([]);
  expect(offBy.filter(({ ms }) => ms > LATE_MS)).toEqual([]);
}

/** Fetched for the first time at once, and then when its time has come. */
async function expectFetchesInTime({ send, database }: Skewed, site: FeedSite): Promise<void> {
  site.publish('/followed', { guid: 'a', title: 'A' });
  const externalId = site.url('/followed');
  await send('/sources/follow', { type: 'rss', externalId });
  const fetched = () => site.requests('/followed');
  await vi.waitFor(() => expect(fetched()).toHaveLength(1), WITHIN_A_MINUTE);
  await vi.waitFor(async () => {
    const { rowCount } = await database.db.execute(sql`
      UPDATE fetch_states SET next_fetch_at = now() + interval '5 seconds' FROM sources
      WHERE sources.id = fetch_states.id AND external_id = ${externalId} AND job_state <> 'waiting'`);
    expect(rowCount).toBe(1);
  }, WITHIN_A_MINUTE);
  const due = Date.now() + 5_000;
  await vi.waitFor(() => expect(fetched()).toHaveLength(2), UNTIL_DONE);
  // The update was made a moment before.
  expect(fetched()[1]?.at).toBeGreaterThan(due - 2_500);
}

async function expectImport({ send }: Skewed, site: FeedSite): Promise<void> {
  const paths = Array.from({ length: IMPORTED }, (_, feed) => `/imported-${feed}`);
  for (const path of paths) site.publish(path, { guid: path, title: path });
  const feeds = paths.map((path) => site.url(path));
  const { id } = await send<{ id: string }>('/imports/start', { feeds });
  await vi.waitFor(async () => {
    const view = await send<object>(`/imports/${id}`);
    expect(view).toMatchObject({ status: 'completed', feeds: { done: IMPORTED }, items: { new: IMPORTED } });
  }, UNTIL_DONE);
}

/** Jobs that are put off, tried again, or outlast their lock several times over: no worker takes them from another. */
async function expectTasksOnce({ send, tasks, database }: Skewed): Promise<void> {
  for (const script of ['later-first 1', 'fail-first 1']) await send('/tasks', { script, count: 40 });
  await send('/tasks', { script: 'sleep 10000', count: 4 });
  const [all, runTwice] = [84, 80];
  await vi.waitFor(async () => expect(await tasks.summary()).toMatchObject({ notDone: 0 }), UNTIL_DONE);
  expect(await tasks.summary()).toEqual({ tasks: all, notDone: 0, notOnce: 0, runs: all + runTwice, dead: 0 });
  const { rows } = await database.db.execute<{ ms: number }>(sql`
    SELECT (1000 * extract(epoch FROM max(at) - min(at)))::float8 AS ms FROM task_runs JOIN tasks ON id = task_id
    WHERE script LIKE 'later-first%' GROUP BY task_id`);
  // Each was put off for 200 ms, by a time that is late by at most a round trip to the database.
  expect(rows.filter(({ ms }) => ms < 150)).toEqual([]);
}

const trial = async (environment: Environment) => {
  const skewedFleet = await startSkewedFleet(environment);
  const { fleet, send, database } = skewedFleet;
  const [webhook, site] = [await FakeWebhookPublishing.start(), await FeedSite.start()];
  onTestFinished(() => webhook.close());
  await expectAlerts(skewedFleet);
  const due = await schedulePosts(skewedFleet, webhook);
  await Promise.all([
    expectPostsInTime(webhook, due),
    expectFetchesInTime(skewedFleet, site),
    expectImport(skewedFleet, site),
    expectTasksOnce(skewedFleet),
  ]);
  const { rows } = await database.db.execute(sql`SELECT status, count(*)::int FROM publications GROUP BY status`);
  expect(rows).toEqual([{ status: 'published', count: due.size }]);
  const { pid } = fleet.process(5);
  await fleet.process(5).end('SIGTERM');
  await vi.waitFor(async () => expect((await clockAlerts(send)).join()).not.toContain(`${pid}`), WITHIN_A_MINUTE);
};

const whenFaketime = library ? it : (name: string) => it.skip(`${name}: ${whyNoFaketime()}`, () => undefined);

whenFaketime('goes by PostgreSQL’s time when every clock is five minutes off, with jobs on PostgreSQL', () =>
  trial({}),
);
whenFaketime('does so with jobs on Redis', () => trial({ REDIS_URL: redis }));
