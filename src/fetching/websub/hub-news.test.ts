import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { feedOfHub, openQuiet } from '../../../test/fetching/pushed-feed.js';
import { testDatabase } from '../../../test/harness/database.js';
import type { Reader } from '../../../test/harness/reader.js';
import { SubscriptionCare } from './subscription-care.js';
import { subscriptions } from './subscriptions.table.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const given = testDatabase();
let reader: Reader;
beforeAll(async () => {
  reader = await openQuiet(given.url, 'https://millrace.example/');
});
afterAll(() => reader?.stop());

const ONE = ['https://one.example/'];
const OTHERS = ['https://two.example/', 'https://three.example/'];

type Feed = Awaited<ReturnType<typeof feedOfHub>>;

/** Fetches the feed this much later, with a new post in it. */
async function fetchLater(feed: Feed, ms: number) {
  reader.clock.advance(ms);
  feed.publish(randomUUID());
  await feed.fetch();
}

/** Lets the hub announce new posts this much later, without their content. */
async function tellLater(feed: Feed, ms: number) {
  feed.publish(randomUUID());
  reader.clock.advance(ms);
  expect(await feed.deliver('news!')).toBe(202);
  await feed.work();
}

const hubsOf = async (feed: Feed) => (await feed.all()).map(({ hubUrls, state }) => ({ hubUrls, state }));

describe('what a feed says of its hubs', () => {
  it('has one asked once, however often it is said', async () => {
    const feed = await feedOfHub(reader, ONE);
    await fetchLater(feed, 2 * DAY);
    expect(await hubsOf(feed)).toEqual([{ hubUrls: ONE, state: 'asked' }]);
  });

  it('has others asked a day later, and the first told to end if it has a lease', async () => {
    const [leased, never] = [await feedOfHub(reader, ONE), await feedOfHub(reader, ONE)];
    await leased.verify();
    for (const feed of [leased, never]) feed.site.hubs = OTHERS;
    for (const feed of [leased, never]) await fetchLater(feed, DAY);
    const [ending, asked] = [
      { hubUrls: ONE, state: 'ending' },
      { hubUrls: OTHERS, state: 'asked' },
    ];
    expect(await hubsOf(leased)).toEqual([ending, asked]);
    expect(await leased.state()).toMatchObject({ hasHub: true, pushedUntil: null });
    expect(await hubsOf(never)).toEqual([asked]);
  });

  it('is ignored before that, because it might change with every page', async () => {
    const feed = await feedOfHub(reader, ONE);
    for (const page of ['2', '3', '4']) {
      feed.site.on('/feed', (_, response) => {
        response.setHeader('link', `<https://hub-${page}.example/>; rel="hub", </feed?page=${page}>; rel="self"`);
        response.end(feed.site.render('/feed')?.body);
      });
      await fetchLater(feed, HOUR);
    }
    feed.site.repair('/feed');
    feed.site.hubs = [];
    await fetchLater(feed, HOUR);
    expect(await hubsOf(feed)).toEqual([{ hubUrls: ONE, state: 'asked' }]);
  });

  it('ends it where it names none any more, though the hub was not relied on', async () => {
    const [missed, asked] = [await feedOfHub(reader), await feedOfHub(reader)];
    await missed.verify();
    reader.clock.advance(HOUR);
    missed.publish('Two');
    await fetchLater(missed, HOUR);
    expect(await missed.subscription()).toMatchObject({ state: 'missed' });
    for (const feed of [missed, asked]) {
      feed.site.hubs = [];
      await fetchLater(feed, DAY);
      expect(await feed.state()).toMatchObject({ hasHub: false, pushedUntil: null });
    }
    expect(await hubsOf(missed)).toMatchObject([{ state: 'ending' }]);
    expect(await hubsOf(asked)).toEqual([]);
  });

  it('is nothing to us where hubs could not reach us', async () => {
    const unreachable = await openQuiet(given.url);
    onTestFinished(() => unreachable.stop());
    expect(await hubsOf(await feedOfHub(unreachable, ONE))).toEqual([]);
  });
});

describe('a hub that says only that there is news', () => {
  it('has missed nothing, however long after it came out', async () => {
    const feed = await feedOfHub(reader);
    await feed.verify();
    reader.clock.advance(HOUR);
    for (const late of [5 * MINUTE, HOUR]) await tellLater(feed, late);
    const { leaseUntil } = await feed.subscription();
    expect(await feed.subscription()).toMatchObject({ state: 'verified', missedAt: null });
    expect(await feed.state()).toMatchObject({ pushedUntil: leaseUntil, intervalSeconds: DAY / 1_000 });
  });

  it('has missed what it did not tell of, though it told of something before', async () => {
    const feed = await feedOfHub(reader);
    await feed.verify();
    await tellLater(feed, 5 * MINUTE);
    reader.clock.advance(HOUR);
    feed.publish('Two');
    await fetchLater(feed, HOUR);
    expect(await feed.subscription()).toMatchObject({ state: 'missed' });
    expect(await feed.state()).toMatchObject({ pushedUntil: null });
  });

  it('is trusted again when it was first three times', async () => {
    const feed = await feedOfHub(reader);
    await feed.verify();
    reader.clock.advance(HOUR);
    feed.publish('Two');
    await fetchLater(feed, HOUR);
    expect(await feed.subscription()).toMatchObject({ state: 'missed' });
    for (const firstSince of [1, 2]) {
      await tellLater(feed, 5 * MINUTE);
      expect(await feed.subscription()).toMatchObject({ state: 'missed', firstSince });
    }
    await tellLater(feed, 5 * MINUTE);
    const { leaseUntil } = await feed.subscription();
    expect(await feed.subscription()).toMatchObject({ state: 'verified', missedAt: null });
    expect(await feed.state()).toMatchObject({ pushedUntil: leaseUntil });
  });
});

it('what a hub pushed does not excuse it for what it did not', async () => {
  const feed = await feedOfHub(reader);
  await feed.verify();
  reader.clock.advance(HOUR);
  feed.publish('Two');
  expect(await feed.deliver(feed.site.render('/feed')?.body ?? '')).toBe(202);
  expect(await feed.ann.titles()).toEqual(['Two', 'One']);
  feed.publish('Three');
  reader.clock.advance(HOUR);
  await feed.fetch();
  expect(await feed.subscription()).toMatchObject({ state: 'missed' });
});

it('a hub that begins to push does not put off the poll that finds what came before', async () => {
  const feed = await feedOfHub(reader);
  const { nextFetchAt } = await feed.state();
  await feed.verify();
  const { leaseUntil } = await feed.subscription();
  expect(await feed.state()).toMatchObject({ pushedUntil: leaseUntil, nextFetchAt, intervalSeconds: DAY / 1_000 });
});

it('where there is no address any more at which hubs reach us, polling is back; they are asked again once there is one', async () => {
  const feed = await feedOfHub(reader);
  await feed.verify();
  await fetchLater(feed, 5 * MINUTE);
  const unreachable = await openQuiet(given.url);
  onTestFinished(() => unreachable.stop());
  unreachable.clock.advance(reader.clock.now().getTime() - unreachable.clock.now().getTime());
  await unreachable.app.get(SubscriptionCare).relyOnNone();
  const { pushedUntil, intervalSeconds, nextFetchAt } = await feed.state();
  expect(pushedUntil).toBeNull();
  expect(intervalSeconds).toBeLessThan(DAY / 1_000);
  expect(nextFetchAt?.getTime()).toBeLessThan(reader.clock.now().getTime() + DAY);
  expect(await feed.subscription()).toMatchObject({ state: 'asked', leaseUntil: null, askAt: null });
  await reader.app.get(SubscriptionCare).run();
  const [{ askAt } = {}] = await given.database.db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.sourceId, feed.id));
  expect(askAt).toEqual(reader.clock.now());
});
