import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { adminKey, startMastodon, startPublishing, startWebhook } from '../../../test/publishing/publisher.js';

const db = testDatabase();
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** Creates a user with an account on a fake Mastodon. */
async function withMastodon(user = 'anna') {
  const mastodon = await startMastodon();
  const millrace = await startPublishing(db.url);
  const anna = millrace.as(user);
  const { id: accountId } = await anna.account({ ...mastodon.given, name: 'Alice' });
  return { ...mastodon, millrace, anna, accountId };
}

it('publishes at once what is given without a time, and tells its history', async () => {
  const { anna, accountId, fake } = await withMastodon();
  const made = await anna.publish({ accountId, content: { text: 'Hello' } });
  expect(made).toMatchObject({ accountId, platform: 'mastodon', attempts: 0, priority: 'normal', version: 1 });
  const { platformPostId, platformUrl, history, waitingFor, processedBy } = await anna.when(made.id, 'published');
  expect([made.processedBy, processedBy]).toEqual([null, `${hostname()}:${process.pid}`]);
  expect(fake.posts.map(({ text }) => text)).toEqual(['Hello']);
  expect(platformPostId).toBe(fake.posts[0]?.id);
  expect(platformUrl).toContain('@alice/');
  expect(history.map(({ from, to }) => [from, to])).toEqual([
    [null, 'scheduled'],
    ['scheduled', 'queued'],
    ['queued', 'publishing'],
    ['publishing', 'published'],
  ]);
  expect(waitingFor).toBeNull();
});

it('publishes on several accounts, and shows what was made together', async () => {
  const { anna, accountId, fake } = await withMastodon();
  const webhook = await startWebhook();
  const { id: hookId } = await anna.account(webhook.given);
  const answer = await anna.send('POST', '/publications', {
    accountIds: [hookId, accountId],
    content: { text: 'To all' },
  });
  expect(answer.status).toBe(202);
  const { items } = answer.body;
  expect(items.map((item: { accountId: string }) => item.accountId)).toEqual([hookId, accountId]);
  expect(items[0].groupId).toMatch(/./);
  expect(items[1].groupId).toBe(items[0].groupId);
  for (const { id } of items) await anna.when(id, 'published');
  expect([fake.posts[0]?.text, webhook.fake.posts[0]?.text]).toEqual(['To all', 'To all']);
});

it('makes none of several when one account does not take the content, and says which and by how much', async () => {
  const { anna, accountId, given, fake } = await withMastodon('dora');
  const webhook = await startWebhook();
  const { id: hookId } = await anna.account(webhook.given);
  const credentials = { ...given.credentials, maxCharacters: 1_000 };
  const { id: roomy } = await anna.account({ ...given, credentials });
  const { status, body } = await anna.send('POST', '/publications', {
    accountIds: [hookId, accountId, roomy],
    content: { text: 'x'.repeat(612) },
  });
  expect(status).toBe(422);
  expect(body.code).toBe('content_refused');
  expect(body.errors).toEqual([
    {
      path: 'accounts.1.content.text',
      message: `text is 612 characters, 112 more than Mastodon takes (account ${accountId}, Alice)`,
    },
  ]);
  expect((await anna.send('GET', '/publications')).body.items).toEqual([]);
  expect(fake.posts.length + webhook.fake.posts.length).toBe(0);
});

describe('times', () => {
  it('keeps the clock on the wall with its zone, and waits for the moment that it means', async () => {
    const { anna, accountId } = await withMastodon();
    const content = { text: 'In summer' };
    const given = { localTime: '2998-03-30T02:30', timezone: 'europe/berlin' };
    const made = await anna.publish({ accountId, content, ...given });
    expect(made).toMatchObject({ localTime: '2998-03-30T02:30', timezone: 'Europe/Berlin', status: 'scheduled' });
    expect(made).toMatchObject({ waitingFor: 'its time', waitsUntil: made.scheduledAt });
    const shown = await anna.publish({
      accountId,
      content,
      scheduledAt: '2998-07-01T12:00:00+02:00',
      timezone: 'Asia/Kolkata',
    });
    expect(shown).toMatchObject({ scheduledAt: '2998-07-01T10:00:00.000Z', localTime: '2998-07-01T15:30' });
  });

  it.each([
    ['does not exist moves to the one that the clock shows', '2027-03-28T02:30', '2027-03-28T03:30', '01:30'],
    ['exists twice is the first', '2027-10-31T02:30', '2027-10-31T02:30', '00:30'],
  ])('a local time that %s', async (_, localTime, shown, at) => {
    const { anna, accountId } = await withMastodon();
    const content = { text: 'When clocks change' };
    const made = await anna.publish({ accountId, content, localTime, timezone: 'Europe/Berlin' });
    expect(made).toMatchObject({ localTime: shown, scheduledAt: `${localTime.slice(0, 10)}T${at}:00.000Z` });
    // An earlier version stored the requested time.
    await db.database.pool.query('UPDATE publications SET local_time = $1 WHERE id = $2', [localTime, made.id]);
    expect(await anna.find(made.id)).toMatchObject({ localTime: shown });
  });

  it('refuses those that are past, are none, contradict each other or come to nothing', async () => {
    const { anna, accountId } = await withMastodon();
    const wrong: [object, path: string][] = [
      [{ scheduledAt: inHours(-25) }, 'scheduledAt'],
      [{ localTime: '2020-01-01T09:00', timezone: 'Europe/Berlin' }, 'localTime'],
      [{ localTime: '2990-01-01T09:00', timezone: 'Mars/Olympus' }, 'timezone'],
      [{ localTime: '2990-02-30T09:00', timezone: 'Europe/Berlin' }, 'localTime'],
      [{ localTime: '2990-01-01T09:00' }, 'timezone'],
      [{ scheduledAt: '2990-01-01T09:00' }, 'scheduledAt'],
      [{ scheduledAt: inHours(1), slot: 'next' }, 'scheduledAt'],
      [{ scheduledAt: inHours(2), expiresAt: inHours(1) }, 'expiresAt'],
      [{ expiresAt: inHours(-1) }, 'expiresAt'],
      [{ accountIds: ['1'] }, 'accountId'],
      [{ accountId: undefined, accountIds: ['1', '2', '1'] }, 'accountIds.2'],
      [{ priority: 'urgent' }, 'priority'],
      [{ content: { text: 'NUL \0' } }, 'content.text'],
      [{ content: { text: 'x', link: 'javascript:alert(1)' } }, 'content.link'],
    ];
    for (const [given, path] of wrong) {
      const asked = { accountId, content: { text: 'x' }, ...given };
      const { status, body } = await anna.send('POST', '/publications', asked);
      expect([status, body.code, body.errors[0].path]).toEqual([400, 'validation_failed', path]);
    }
  });

  it('publishes now what was due within the grace, as a producer hands it in', async () => {
    const { anna, accountId } = await withMastodon();
    const { id, scheduledAt } = await anna.publish({ accountId, content: { text: 'Due' }, scheduledAt: inHours(-23) });
    expect(Date.parse(scheduledAt)).toBeGreaterThan(Date.parse(inHours(-1)));
    await anna.when(id, 'published');
  });
});

describe('lists', () => {
  it('shows those of a status, an account or a time, page by page, and only to their own user', async () => {
    const { millrace, anna, accountId, given } = await withMastodon('emil');
    const other = await anna.account(given);
    const content = { text: 'Some' };
    const ids: string[] = [];
    for (const hours of [1, 2, 3]) {
      ids.push((await anna.publish({ accountId, content, scheduledAt: inHours(hours) })).id);
    }
    ids.push((await anna.publish({ accountId: other.id, content, scheduledAt: inHours(4) })).id);
    await anna.send('DELETE', `/publications/${ids[0]}`);
    const listed = async (query: string) => {
      const { body } = await anna.send('GET', `/publications?${query}`);
      return body.items.map(({ id }: { id: string }) => ids.indexOf(id));
    };
    expect(await listed('')).toEqual([3, 2, 1, 0]);
    expect(await listed('status=cancelled')).toEqual([0]);
    expect(await listed('priority=high')).toEqual([]);
    expect(await listed('priority=normal&limit=1')).toEqual([3]);
    expect(await listed(`account=${other.id}`)).toEqual([3]);
    expect(await listed(`from=${inHours(1.5)}&to=${inHours(3.5)}`)).toEqual([2, 1]);
    const first = (await anna.send('GET', '/publications?limit=3')).body;
    expect(await listed(`limit=3&cursor=${first.nextCursor}`)).toEqual([0]);
    await anna.send('PATCH', `/publications/${ids[3]}`, { scheduledAt: inHours(1.7) });
    expect(await listed('status=scheduled&order=due')).toEqual([3, 1, 2]);
    const soonest = (await anna.send('GET', '/publications?order=due&status=scheduled&limit=2')).body;
    expect(await listed(`order=due&status=scheduled&limit=2&cursor=${soonest.nextCursor}`)).toEqual([2]);
    expect(await anna.send('GET', `/publications?cursor=${soonest.nextCursor}`)).toMatchObject({ status: 400 });
    const ben = millrace.as('ben');
    expect((await ben.send('GET', '/publications')).body.items).toEqual([]);
    const asked = [
      ben.send('GET', `/publications/${ids[1]}`),
      ben.send('PATCH', `/publications/${ids[1]}`, { priority: 'high' }),
      ben.send('DELETE', `/publications/${ids[1]}`),
      ...['publish-now', 'retry'].map((act) => ben.send('POST', `/publications/${ids[1]}/${act}`)),
      ben.send('POST', `/publications/${ids[1]}/resolve`, { outcome: 'published' }),
    ];
    for (const { status } of await Promise.all(asked)) expect(status).toBe(404);
    expect((await anna.find(ids[1] ?? '')).status).toBe('scheduled');
  });
});

it('makes nothing new of a request that is sent again with its key', async () => {
  const { given } = await startWebhook();
  const api = await startPublishing(db.url);
  const dora = api.as('dora');
  const ids = [(await dora.account(given)).id, (await dora.account(given)).id];
  const wanted = { accountIds: ids, content: { text: 'Once' }, scheduledAt: inHours(1) };
  const send = (payload: object, key = 'a-key') =>
    api.send({
      method: 'POST',
      url: '/api/v1/publications',
      key: adminKey,
      payload,
      headers: { 'x-millrace-user': 'dora', 'idempotency-key': key },
    });
  const answers = await Promise.all([send(wanted), send(wanted), send(wanted)]);
  const made = answers.map((answer) => answer.json().items.map(({ id }: { id: string }) => id));
  expect(made[0]).toHaveLength(2);
  expect(made).toEqual([made[0], made[0], made[0]]);
  const other = await send({ ...wanted, content: { text: 'Another' } });
  expect(other.json()).toMatchObject({ status: 409, code: 'idempotency_key_reused' });
  expect((await send(wanted, 'with space')).statusCode).toBe(400);
  expect((await send({ ...wanted, content: { text: 'Another' } }, 'another-key')).statusCode).toBe(202);
});
