import { randomUUID } from 'node:crypto';
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

export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 15_000, interval: 20 });

/** Millrace at an address that hubs can reach, until it is stopped. */
export async function openReachable(databaseUrl: string, port?: number) {
  const at = port ?? (await freePort());
  const reader = await openReader(databaseUrl, { publicUrl: `http://127.0.0.1:${at}` });
  await reader.app.listen(at, '127.0.0.1');
  return { ...reader, port: at };
}

/** A feed that names a hub, and somebody new who follows it. */
export async function followedFeed(reader: Reader, given: Partial<Pick<FakeHub, 'denies'>> = {}) {
  const [hub, site] = [Object.assign(await FakeHub.start(), given), await FeedSite.start()];
  site.hubs = [hub.url];
  const topic = site.url('/feed');
  const publish = (title: string) => {
    // The feed's times are in seconds.
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
    ...{ hub, site, topic, publish, user, ann, id },
    /** As if a second had gone by. */
    askHubs: () => reader.app.get(HubScheduler).run(),
    subscription: async () => (await database.db.select().from(subscriptions).where(ofSource))[0],
    state: () => stateOf(database, id),
    /** Publishes it, and has the hub tell. Returns what it was answered. */
    push: (title: string) => hub.distribute(topic, { body: publish(title) }),
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
