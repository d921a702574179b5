import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { HostLimits } from '../../src/platform/hosts/host-limits.js';
import { HostLimitsStore } from '../../src/platform/hosts/host-limits.store.js';
import { Jobs } from '../../src/platform/jobs/jobs.js';
import { DuePublicationsStore } from '../../src/publishing/sending/due-publications.store.js';
import { publishJobs } from '../../src/publishing/sending/publish-jobs.js';
import { testDatabase } from '../harness/database.js';
import { graphError, usageHeaders } from '../platforms/fake-graph-api.js';
import { startFiles, textsOf } from '../publishing/fake-platforms.js';
import type { Publisher, Publishing } from '../publishing/publisher.js';
import { limited, mostWithin, out, startWorld } from '../publishing/world.js';

const db = testDatabase();
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WAIT_OPTIONS = { timeout: 20_000, interval: 50 };
const perHour = (most: number) => ({ most, windowMs: HOUR_MS });

const room = async (who: Publisher, platform: string) => {
  const { items } = (await who.send('GET', '/platforms')).body;
  const { remaining, availableAt } = items.find(({ name }: { name: string }) => name === platform);
  return { ...remaining, availableAt };
};
/** To the minute: the test itself takes some time, too. */
const close = (a: string | null, b: Date) => Math.abs(Date.parse(a ?? '') - b.getTime()) < MINUTE_MS;

describe('limits', () => {
  it('hold over a restart, and what waits goes out when its own room returns, at no cost', async () => {
    const world = await startWorld(db.url, 'webhook', limited('webhook', perHour(3), perHour(2)));
    const { fake, accountId, given, time } = world;
    const { id: bens } = await world.as('ben').account(given);
    const begin = time.now().getTime();
    const minute = (minutes: number) => new Date(begin + minutes * MINUTE_MS);
    await out(world.anna, accountId, 'Anna 1');
    await time.pass(20 * MINUTE_MS);
    await out(world.anna, accountId, 'Anna 2');
    const { id: third } = await world.anna.publish({ accountId, content: { text: 'Anna 3' } });
    const ofUser = await world.anna.find(third);
    expect(ofUser.waitingFor).toBe('capacity within the limit of 2 in 1 h for each user');
    expect(close(ofUser.waitsUntil, minute(60))).toBe(true);
    await time.pass(10 * MINUTE_MS);
    await out(world.as('ben'), bens, 'Ben 1');
    const { id: second } = await world.as('ben').publish({ accountId: bens, content: { text: 'Ben 2' } });
    const ofAll = await world.as('ben').find(second);
    expect(ofAll.waitingFor).toBe('capacity within the limit of 3 in 1 h for all together');
    expect(close(ofAll.waitsUntil, minute(60))).toBe(true);

    const later = await world.restart();
    expect(await room(later.as('ben'), 'webhook')).toMatchObject({ platform: 0, user: 0 });
    expect(close((await room(later.anna, 'webhook')).availableAt, minute(60))).toBe(true);
    await later.time.pass(27 * MINUTE_MS);
    expect(textsOf(fake)).toEqual(['Anna 1', 'Anna 2', 'Ben 1']);
    await later.time.pass(3 * MINUTE_MS);
    expect(await later.anna.when(third, 'published')).toMatchObject({ attempts: 1 });
    const still = await later.as('ben').find(second);
    expect(still).toMatchObject({ status: 'scheduled', attempts: 0 });
    expect(close(still.waitsUntil, minute(80))).toBe(true);
    await later.time.pass(20 * MINUTE_MS);
    await later.as('ben').when(second, 'published');
    expect(
      mostWithin(
        fake.posts.map(({ at }) => at),
        HOUR_MS,
      ),
    ).toBe(3);
  });

  it('that were lowered hold for what went out before', async () => {
    const world = await startWorld(db.url, 'mastodon', limited('mastodon', perHour(3)));
    const { fake, accountId, time } = world;
    for (const text of ['First', 'Second', 'Third']) {
      await out(world.anna, accountId, text);
      await time.pass(15 * MINUTE_MS);
    }
    const later = await world.restart(limited('mastodon', perHour(1)));
    const { id } = await later.anna.publish({ accountId, content: { text: 'Fourth' } });
    await later.time.pass(30 * MINUTE_MS);
    expect((await later.anna.find(id)).waitingFor).toBe('capacity within the limit of 1 in 1 h for all together');
    await later.time.pass(15 * MINUTE_MS);
    await later.anna.when(id, 'published');
    expect(fake.posts).toHaveLength(4);
  });
});

/** As two schedulers do that both see the last free place: the worker finds none left. */
async function handOutBeyondLimit({ app }: Publishing): Promise<void> {
  const now = new Date(Date.now() + DAY_MS);
  const wanted = {
    platform: 'webhook',
    now,
    limit: 1,
    capacityOfUsers: new Map<string, number>(),
    capacityOfOthers: 1,
    queued: new Map(),
  };
  const job = publishJobs.get('webhook');
  if (job) await app.get(Jobs).enqueueRows(job, await app.get(DuePublicationsStore).take(wanted));
}

describe('a limit that is raised or removed', () => {
  // Capacity is counted over all users of a platform, those of earlier tests too.
  beforeEach(async () => void (await db.database.pool.query('DELETE FROM platform_slots')));

  it.each([
    ['raised', limited('webhook', perHour(2))],
    ['removed', limited('webhook', null)],
  ])('and %s lets what waited out at once', async (_, config) => {
    const world = await startWorld(db.url, 'webhook', limited('webhook', perHour(1)));
    const { accountId } = world;
    await out(world.anna, accountId, 'First');
    const { id } = await world.anna.publish({ accountId, content: { text: 'Second' } });
    await handOutBeyondLimit(world.millrace);
    await vi.waitFor(async () => {
      const { history, status } = await world.anna.find(id);
      expect([status, history.at(-1)?.reason]).toEqual(['scheduled', expect.stringContaining('it waits for capacity')]);
    }, WAIT_OPTIONS);
    const waiting = await world.anna.find(id);
    expect(waiting.waitingFor).toBe('capacity within the limit of 1 in 1 h for all together');
    expect(close(waiting.waitsUntil, new Date(world.time.now().getTime() + HOUR_MS))).toBe(true);
    const later = await world.restart(config);
    expect(await later.anna.when(id, 'published')).toMatchObject({ attempts: 1 });
  });

  it('is noticed for what an earlier version has put off for an hour', async () => {
    const world = await startWorld(db.url, 'webhook', limited('webhook', perHour(1)));
    await out(world.anna, world.accountId, 'First');
    const { id } = await world.anna.publish({ accountId: world.accountId, content: { text: 'Second' } });
    await db.database.pool.query(
      `UPDATE publications SET not_before = now() + interval '1 hour',
        waiting_for = 'capacity within the limit of 1 in 1 h for each user' WHERE id = $1`,
      [id],
    );
    const later = await world.restart(limited('webhook', perHour(2)));
    await later.anna.when(id, 'published');
  });
});

describe('a platform that asks to wait', () => {
  it.each([
    ['new credentials are given', 'PATCH'],
    ['its account is checked again', 'POST'],
  ] as const)('is asked at once when %s', async (_, method) => {
    const { fake, given, anna, accountId } = await startWorld(db.url, 'mastodon');
    fake.retryAfterSeconds = 3_600;
    fake.plan('too many');
    const { id } = await anna.publish({ accountId, content: { text: 'Asked too often' } });
    await waitsFor(anna, id, 'answered 429');
    const isCheck = method === 'POST';
    const path = `/accounts/${accountId}${isCheck ? '/check' : ''}`;
    const { body } = await anna.send(method, path, isCheck ? undefined : { credentials: given.credentials });
    expect(body).toMatchObject({ status: 'active', closedUntil: null });
    expect(await anna.when(id, 'published')).toMatchObject({ attempts: 1 });
  });

  it('is obeyed for the account that it asks, at no cost, and not for another', async () => {
    const { fake, given, anna, accountId, as, time } = await startWorld(db.url, 'mastodon');
    fake.tokens.set('token-of-bob', 'bob');
    const ben = as('ben');
    const credentials = { ...given.credentials, accessToken: 'token-of-bob' };
    const { id: bens } = await ben.account({ ...given, credentials });
    fake.retryAfterSeconds = 90;
    fake.plan('too many');
    const { id } = await anna.publish({ accountId, content: { text: 'Asked too often' } });
    const until = await waitsFor(anna, id, 'answered 429');
    expect(close(until, new Date(time.now().getTime() + 90_000))).toBe(true);
    const { body } = await anna.send('GET', `/accounts/${accountId}`);
    expect(body).toMatchObject({ status: 'active', closedUntil: until });
    await out(ben, bens, 'Another account');
    await time.pass(60_000);
    expect(await anna.find(id)).toMatchObject({ status: 'scheduled', attempts: 0 });
    await time.pass(30_000);
    expect(await anna.when(id, 'published')).toMatchObject({ attempts: 1 });
    expect(textsOf(fake)).toEqual(['Another account', 'Asked too often']);
  });

  it.each(['mastodon', 'bluesky'] as const)(
    'because %s says that this was the last is not asked until then',
    async (platform) => {
      const { fake, anna, accountId, time } = await startWorld(db.url, platform);
      fake.most = platform === 'bluesky' ? 2 : 1;
      await out(anna, accountId, 'The last');
      const asked = fake.calls.length;
      const { id } = await anna.publish({ accountId, content: { text: 'One more' } });
      const until = await waitsFor(anna, id, 'it has taken as many posts as it takes for now');
      expect(fake.calls).toHaveLength(asked);
      // Told in whole seconds.
      await time.pass(Date.parse(until) + 1_000 - time.now().getTime());
      expect(await anna.when(id, 'published')).toMatchObject({ attempts: 1 });
      expect(textsOf(fake)).toEqual(['The last', 'One more']);
    },
  );

  it('in minutes that it expects is asked again after them', async () => {
    const { fake, anna, accountId, time } = await startWorld(db.url, 'facebook');
    const usage = { [accountId]: [{ type: 'pages', call_count: 100, estimated_time_to_regain_access: 7 }] };
    fake.refuse({ ...graphError(32, 'Page request limit reached'), headers: usageHeaders(usage) });
    const { id } = await anna.publish({ accountId, content: { text: 'Patience' } });
    const until = await waitsFor(anna, id, 'Page request limit reached');
    expect(close(until, new Date(time.now().getTime() + 7 * MINUTE_MS))).toBe(true);
    fake.refusals.clear();
    await time.pass(7 * MINUTE_MS);
    expect(await anna.when(id, 'published')).toMatchObject({ attempts: 1 });
  });
});

/** The host of all fakes, which takes the next request in five minutes. */
async function limitHost({ app }: Publishing) {
  const host = '127.0.0.1';
  const forget = async () => {
    await db.database.pool.query('DELETE FROM host_limits');
    app.get(HostLimits).invalidate();
  };
  await app.get(HostLimitsStore).set({ host, perMinute: 1 });
  await db.database.pool.query(`UPDATE host_limits SET next_at = now() + interval '5 minutes'`);
  app.get(HostLimits).invalidate();
  onTestFinished(forget);
  return { forget };
}

describe('a slot at a host that comes later', () => {
  it.each([
    ['the platform', false, 'its slot at a host: http://127.0.0.1'],
    ['a file', true, 'its slot at a host: the file'],
  ])('of %s is waited for at no cost, and closes no account', async (_, withFile, reason) => {
    const { fake, anna, accountId, millrace, time } = await startWorld(db.url, 'mastodon');
    const { photo } = await startFiles();
    const { forget } = await limitHost(millrace);
    const content = { text: 'In its turn', mediaUrls: withFile ? [photo] : [] };
    const { id } = await anna.publish({ accountId, content, checkMedia: false });
    const until = await waitsFor(anna, id, reason);
    expect(close(until, new Date(time.now().getTime() + 5 * MINUTE_MS))).toBe(true);
    expect((await anna.send('GET', `/accounts/${accountId}`)).body).toMatchObject({ closedUntil: null });
    await forget();
    await time.pass(6 * MINUTE_MS);
    expect(await anna.when(id, 'published')).toMatchObject({ attempts: 1, lastError: null });
    expect(textsOf(fake)).toEqual(['In its turn']);
  });
});

it('a limit of a host that is forgotten lets out at once what waited for its turn', async () => {
  const { anna, accountId, millrace } = await startWorld(db.url, 'mastodon');
  await limitHost(millrace);
  const { id } = await anna.publish({ accountId, content: { text: 'In its turn' } });
  await waitsFor(anna, id, 'its slot at a host');
  await millrace.app.get(HostLimitsStore).forget('127.0.0.1');
  expect(await anna.when(id, 'published')).toMatchObject({ attempts: 1 });
});

async function waitsFor(who: Publisher, id: string, reason: string): Promise<string> {
  const waiting = await who.waits(id);
  expect(waiting).toMatchObject({ attempts: 0, waitingFor: expect.stringContaining(reason) });
  return waiting.waitsUntil ?? '';
}
