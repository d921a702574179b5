import { createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { and, eq, ne } from 'drizzle-orm';
import { vi } from 'vitest';
import { HubScheduler } from '../../src/fetching/websub/hub-scheduler.js';
import { subscriptions } from '../../src/fetching/websub/subscriptions.table.js';
import { Database } from '../../src/platform/database/database.js';
import { FeedSite } from '../harness/feed-site.js';
import { openReader, type Reader } from '../harness/reader.js';
import { stateOf } from './demand-parts.js';
import { FakeHub } from './fake-hub.js';
import { WorkerProcess } from './worker-process.js';

export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 15_000, interval: 20 });

/** Runs Millrace at an address that hubs can reach, until it is stopped. */
export async function openReachable(databaseUrl: string, port?: number) {
  const at = port ?? (await freePort());
  const reader = await openReader(databaseUrl, { publicUrl: `http://127.0.0.1:${at}` });
  await reader.app.listen(at, '127.0.0.1');
  return { ...reader, port: at };
}

/** A feed that names a hub, and a new user who follows it. */
export async function followedFeed(reader: Reader, given: Partial<Pick<FakeHub, 'denies'>> = {}) {
  const [hub, site] = [Object.assign(await FakeHub.start(), given), await FeedSite.start()];
  site.hubs = [hub.url];
  const topic = site.url('/feed');
  const publish = (title: string) => {
    // The times of the feed are in whole seconds.
    reader.clock.advance(2_000);
    site.publish('/feed', { guid: title, title, publishedAt: reader.clock.now() });
    return site.render('/feed')?.body ?? '';
  };
  publish('One');
  const user = randomUUID();
  const ann = reader.as(user);
  const { id } = await ann.follow(topic);
  const database = reader.app.get(Database);
  const ofSource = and(eq(subscriptions.sourceId, id), ne(subscriptions.state, 'ending'));
  return {
    hub,
    site,
    topic,
    publish,
    user,
    ann,
    id,
    /** Advances the clock by a second. */
    askHubs: () => reader.app.get(HubScheduler).run(),
    subscription: async () => (await database.db.select().from(subscriptions).where(ofSource))[0],
    state: () => stateOf(database, id),
    /** Advances the clock to the scheduled poll. */
    polled: async () => {
      const { nextFetchAt } = await stateOf(database, id);
      if (!nextFetchAt) throw new Error('the feed is not polled');
      reader.clock.advance(nextFetchAt.getTime() - reader.clock.now().getTime());
      await eventually(async () => {
        const { lastSuccessAt } = await stateOf(database, id);
        if (!lastSuccessAt || lastSuccessAt < nextFetchAt) throw new Error('the feed was not polled');
      });
    },
    /** Publishes a post and has the hub deliver it. Returns the answer. */
    push: (title: string) => hub.distribute(topic, { body: publish(title) }),
  };
}

/** Runs Millrace without periodic work, reachable by hubs, until it is stopped. */
export const openQuiet = (databaseUrl: string, publicUrl?: string) =>
  openReader(databaseUrl, { roles: new Set(['api']), ...(publicUrl && { publicUrl }) });

const DAY_SECONDS = 86_400;

/** A feed that was fetched once, with the test as its hub. */
export async function feedOfHub(reader: Reader, hubs: string[] = ['https://hub.example/']) {
  const site = await FeedSite.start();
  site.hubs = hubs;
  const topic = site.url('/feed');
  const publish = (title: string, at = reader.clock.now()) =>
    site.publish('/feed', { guid: title, title, publishedAt: at });
  publish('One');
  const ann = reader.as(randomUUID());
  const { id } = await ann.follow(topic);
  const worker = new WorkerProcess(reader);
  await worker.run(id);
  const database = reader.app.get(Database);
  const all = () =>
    database.db.select().from(subscriptions).where(eq(subscriptions.sourceId, id)).orderBy(subscriptions.id);
  const subscription = async () => {
    const found = (await all()).find(({ state }) => state !== 'ending');
    if (!found) throw new Error('there is no subscription');
    return found;
  };
  return {
    site,
    topic,
    publish,
    ann,
    id,
    all,
    subscription,
    state: () => stateOf(database, id),
    fetch: () => worker.fetch(id),
    /** Runs the fetch that was enqueued. */
    work: () => worker.run(id),
    verify: async (leaseSeconds = 10 * DAY_SECONDS) => {
      const { token, topicUrl } = await subscription();
      const query = { 'hub.mode': 'subscribe', 'hub.topic': topicUrl, 'hub.challenge': 'echo' };
      const asked = { ...query, 'hub.lease_seconds': String(leaseSeconds) };
      const { body } = await reader.app.inject({ method: 'GET', url: `/websub/${token}`, query: asked });
      if (body !== 'echo') throw new Error(`the verification was answered ${body}`);
    },
    /** Delivers a signed body. Returns the answer. */
    deliver: async (body: string | Uint8Array) => {
      const { token, secret } = await subscription();
      const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
      const headers = { 'content-type': 'application/rss+xml', 'x-hub-signature': signature };
      const url = `/websub/${token}`;
      const payload = Buffer.from(body);
      return (await reader.app.inject({ method: 'POST', url, headers, payload })).statusCode;
    },
  };
}

type FollowedFeed = Awaited<ReturnType<typeof followedFeed>>;

export function becomes({ subscription }: Pick<FollowedFeed, 'subscription'>, state: string) {
  return eventually(async () => {
    const found = await subscription();
    if (found?.state !== state) throw new Error(`the subscription is ${found?.state}: ${found?.lastError}`);
    return found;
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
