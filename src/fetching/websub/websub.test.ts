import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FakeHub } from '../../../test/fetching/fake-hub.js';
import { becomes, eventually, followedFeed, openReachable } from '../../../test/fetching/pushed-feed.js';
import { testDatabase } from '../../../test/harness/database.js';
import { SubscriptionCare } from './subscription-care.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const given = testDatabase();
let reader: Awaited<ReturnType<typeof openReachable>>;
beforeAll(async () => {
  reader = await openReachable(given.url);
});
afterAll(() => reader?.stop());

describe('a feed that names a hub', () => {
  it('is subscribed to; what is pushed is in the feed before the hub has its answer, and the site sees no request', async () => {
    const feed = await followedFeed(reader);
    const { leaseUntil } = await becomes(feed, 'verified');
    const { hub, site, ann, topic } = feed;
    expect(Object.fromEntries(hub.asked[0] ?? [])).toEqual({
      'hub.mode': 'subscribe',
      'hub.topic': topic,
      'hub.callback': expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/websub\/[\w-]{43}$/),
      'hub.lease_seconds': '864000',
      'hub.secret': expect.stringMatching(/^[\w-]{43}$/),
    });
    const asked = site.log.length;
    const begin = performance.now();
    expect(await feed.push('Two')).toEqual([202]);
    process.stdout.write(`A push was stored and answered in ${Math.round(performance.now() - begin)} ms.\n`);
    expect(await ann.titles()).toEqual(['Two', 'One']);
    expect(site.log).toHaveLength(asked);
    const { pushedUntil, intervalSeconds } = await feed.state();
    expect(pushedUntil).toEqual(leaseUntil);
    expect(intervalSeconds).toBe(DAY / 1_000);
    const { body } = await ann.send('GET', `/sources/${feed.id}/schedule`);
    const push = { state: 'verified', hub: hub.url, leaseUntil: leaseUntil?.toISOString(), lastError: null };
    expect(body.push).toMatchObject(push);
    expect(body.because).toContainEqual(expect.stringMatching(/hub pushes/));
  });

  it('is fetched at once when the hub says only that there is news', async () => {
    const feed = await followedFeed(reader);
    await becomes(feed, 'verified');
    const { hub, site, ann, topic } = feed;
    const asked = site.log.length;
    reader.clock.advance(2 * MINUTE);
    feed.publish('Two');
    expect(await hub.distribute(topic, { body: 'news!', contentType: 'text/plain' })).toEqual([202]);
    await eventually(async () => expect(await ann.titles()).toEqual(['Two', 'One']));
    expect(site.log).toHaveLength(asked + 1);
  });
});

describe('another caller at the address of a hub', () => {
  it('changes nothing with a delivery, and learns nothing from the answer', async () => {
    const feed = await followedFeed(reader);
    await becomes(feed, 'verified');
    const { hub, ann } = feed;
    const subscriber = await hub.subscriber();
    const stranger = subscriber.callback.slice(0, -1);
    const body = feed.publish('Two');
    expect(await hub.deliver(subscriber, { body, signature: undefined })).toBe(202);
    expect(await hub.deliver({ ...subscriber, secret: 'guessed' }, { body })).toBe(202);
    expect(await hub.deliver(subscriber, { body, self: 'https://another.example/feed' })).toBe(202);
    expect(await hub.deliver({ ...subscriber, callback: stranger }, { body })).toBe(410);
    expect(await hub.deliver({ ...subscriber, callback: `${stranger}~` }, { body })).toBe(410);
    expect(await hub.deliver(subscriber, { body: Buffer.alloc(10_000_001) })).toBe(413);
    expect(await ann.titles()).toEqual(['One']);
    hub.signing = 'sha512';
    expect(await hub.deliver(subscriber, { body })).toBe(202);
    expect(await ann.titles()).toEqual(['Two', 'One']);
  });

  it('with a question that we have not raised is not answered', async () => {
    const feed = await followedFeed(reader);
    await becomes(feed, 'verified');
    const { hub, topic } = feed;
    const { callback } = await hub.subscriber();
    const before = await feed.subscription();
    const question = { 'hub.mode': 'subscribe', 'hub.topic': topic, 'hub.challenge': 'echo me' };
    const unraised: [string, Record<string, string>][] = [
      [callback.slice(0, -1), question],
      [callback, { ...question, 'hub.topic': 'https://another.example/feed' }],
      [callback, { ...question, 'hub.mode': 'unsubscribe' }],
      [callback, { ...question, 'hub.mode': 'publish' }],
      [callback, {}],
    ];
    for (const [at, asked] of unraised)
      expect(await hub.verify(at, asked)).toMatchObject({ status: 404, body: expect.not.stringContaining('echo me') });
    expect(await feed.subscription()).toEqual(before);
  });
});

describe('a lease', () => {
  it('is renewed at its half; while the hub cannot be asked, polling is back, and so it is after its end', async () => {
    const feed = await followedFeed(reader);
    const { hub, askHubs } = feed;
    const first = await becomes(feed, 'verified');
    reader.clock.advance(5 * DAY);
    await askHubs();
    await eventually(async () => expect(await feed.subscription()).not.toMatchObject({ leaseUntil: first.leaseUntil }));
    expect(hub.asked).toHaveLength(2);
    expect((await feed.state()).pushedUntil).toEqual((await feed.subscription())?.leaseUntil);
    hub.refuses = { status: 500, words: 'out of order' };
    reader.clock.advance(5 * DAY);
    await askHubs();
    await eventually(async () => expect(await feed.state()).toMatchObject({ pushedUntil: null }));
    const failing = await feed.subscription();
    expect(failing).toMatchObject({ state: 'verified', failures: 1, lastError: 'the hub answered 500 out of order' });
    reader.clock.advance(5 * DAY);
    await askHubs();
    expect(await becomes(feed, 'asked')).toMatchObject({ leaseUntil: null });
    expect((await feed.state()).intervalSeconds).toBeLessThan(DAY / 1_000);
  });
});

describe('a hub that dies', () => {
  it('is found out by the safety poll: nothing is missed, polling is back, and the hub has to show that it works', async () => {
    const feed = await followedFeed(reader);
    await becomes(feed, 'verified');
    const { hub, ann, site, askHubs } = feed;
    await feed.polled();
    await hub.die();
    reader.clock.advance(HOUR);
    feed.publish('Two');
    expect(await ann.titles()).toEqual(['One']);
    const asked = site.log.length;
    reader.clock.advance(1.1 * DAY - HOUR);
    await eventually(async () => expect(await ann.titles()).toEqual(['Two', 'One']));
    expect(site.log).toHaveLength(asked + 1);
    await becomes(feed, 'missed');
    const { pushedUntil, intervalSeconds } = await feed.state();
    expect(pushedUntil).toBeNull();
    expect(intervalSeconds).toBeLessThan(DAY / 1_000);
    await eventually(async () => expect(await feed.subscription()).toMatchObject({ failures: 1 }));
    await hub.revive();
    reader.clock.advance(MINUTE);
    await askHubs();
    await eventually(() => expect(hub.subscribers.size).toBe(1));
    for (const title of ['Three', 'Four']) await feed.push(title);
    expect((await feed.state()).pushedUntil).toBeNull();
    await feed.push('Five');
    expect((await feed.state()).pushedUntil).toEqual((await becomes(feed, 'verified')).leaseUntil);
  });
});

describe('a subscription', () => {
  it('goes on where Millrace was stopped, and ends at the hub when nobody follows the feed any more', async () => {
    const feed = await followedFeed(reader);
    await becomes(feed, 'verified');
    const { hub, topic, id } = feed;
    const body = feed.publish('Two');
    const now = reader.clock.now().getTime();
    await reader.stop();
    await expect(hub.distribute(topic, { body })).rejects.toThrow();
    reader = await openReachable(given.url, reader.port);
    reader.clock.advance(now - reader.clock.now().getTime());
    expect(await hub.distribute(topic, { body })).toEqual([202]);
    const ann = reader.as(feed.user);
    expect(await ann.titles()).toEqual(['Two', 'One']);
    await ann.send('DELETE', `/sources/${id}/follow`);
    await reader.app.get(SubscriptionCare).run();
    await eventually(() => expect(hub.subscribers.size).toBe(0));
    expect(hub.disputes).toEqual([]);
    expect(await hub.distribute(topic, { body })).toEqual([]);
  });

  it('that a hub denies says why and leaves the source as it was; the next hub that the feed names is asked', async () => {
    const feed = await followedFeed(reader, { denies: 'not from you' });
    const { hub, ann, site } = feed;
    const refused = await becomes(feed, 'refused');
    expect(refused).toMatchObject({ lastError: 'the hub refused: not from you', leaseUntil: null });
    expect((await feed.state()).pushedUntil).toBeNull();
    const other = await FakeHub.start();
    site.hubs = [hub.url, other.url];
    reader.clock.advance(DAY);
    feed.publish('Two');
    await ann.titles();
    expect(await becomes(feed, 'verified')).toMatchObject({ hubUrl: other.url });
    expect(hub.asked.filter((form) => form.get('hub.mode') === 'subscribe')).toHaveLength(2);
  });
});
