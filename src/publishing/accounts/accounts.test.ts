import { eq } from 'drizzle-orm';
import { expect, it, vi } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { startMastodon, startPublishing, startWebhook } from '../../../test/publishing/publisher.js';
import { HttpClient } from '../../platform/http/http-client.js';
import { accounts } from './accounts.table.js';

const db = testDatabase();
const LATER = '2999-01-01T00:00:00Z';

it('keeps credentials to itself: not in answers, not in the log, and not readable in the database', async () => {
  const { given } = await startMastodon();
  const millrace = await startPublishing(db.url);
  const anna = millrace.as('anna');
  const account = await anna.account({ ...given, name: 'News' });
  expect(account).toMatchObject({ platform: 'mastodon', name: 'News', status: 'active', lastError: null });
  expect(account.platformName).toContain('@alice@');
  const shown = [account, await anna.send('GET', '/accounts'), await anna.send('GET', `/accounts/${account.id}`)];
  const rows = await db.database.db.select().from(accounts).where(eq(accounts.id, account.id));
  const { accessToken } = given.credentials;
  expect(JSON.stringify([shown, rows, millrace.lines])).not.toContain(accessToken);
});

it('names the field of credentials that is wrong', async () => {
  const { given } = await startMastodon();
  const anna = (await startPublishing(db.url)).as('anna');
  const post = async (account: object) => (await anna.send('POST', '/accounts', { name: 'x', ...account })).body;
  const { baseUrl } = given.credentials;
  expect(await post({ platform: 'mastodon', credentials: { baseUrl } })).toMatchObject({
    code: 'validation_failed',
    errors: [{ path: 'credentials.accessToken' }],
  });
  expect((await post({ platform: 'myspace', credentials: {} })).errors[0].path).toBe('platform');
  for (const hidden of ['http://10.0.0.1/', 'http://[::1]:80/', 'http://2130706434/']) {
    const refused = await post({ platform: 'mastodon', credentials: { baseUrl: hidden, accessToken: 'abc' } });
    expect(refused).toMatchObject({ code: 'validation_failed', errors: [{ path: 'credentials.baseUrl' }] });
  }
});

it('tells credentials that do not work from a platform that cannot be reached', async () => {
  const { given, fake } = await startMastodon();
  const anna = (await startPublishing(db.url)).as('anna');
  const wrong = { ...given, name: 'x', credentials: { ...given.credentials, accessToken: 'not-my-token' } };
  const refused = await anna.send('POST', '/accounts', wrong);
  expect(refused).toMatchObject({ status: 422, body: { code: 'credentials_refused' } });
  expect(JSON.stringify(refused.body)).not.toContain('not-my-token');
  await fake.close();
  const away = await anna.send('POST', '/accounts', { ...given, name: 'x' });
  expect(away).toMatchObject({ status: 422, body: { code: 'platform_unreachable' } });
  const stored = (await anna.send('GET', '/accounts')).body.items.map(({ name }: { name: string }) => name);
  expect(stored).not.toContain('x');
  expect(await anna.account({ ...given, check: false })).toMatchObject({ status: 'active', checkedAt: null });
});

it('finds out when asked whether an account works, and forgives it when it does again', async () => {
  const { given, fake } = await startMastodon();
  const anna = (await startPublishing(db.url)).as('anna');
  const { id } = await anna.account({ ...given, check: false });
  const check = async () => (await anna.send('POST', `/accounts/${id}/check`)).body;
  expect(await check()).toMatchObject({ status: 'active', platformName: expect.stringContaining('alice') });
  const tokens = [...fake.tokens];
  fake.tokens.clear();
  const broken = await check();
  expect(broken).toMatchObject({ status: 'broken', lastError: expect.stringContaining('401') });
  const refused = await anna.send('POST', '/publications', { accountId: id, content: { text: 'Hi' } });
  expect(refused).toMatchObject({ status: 409, body: { code: 'account_broken', errors: [{ path: 'accountId' }] } });
  for (const [token, name] of tokens) fake.tokens.set(token, name);
  expect(await check()).toMatchObject({ status: 'active', lastError: null });
  await fake.close();
  expect(await check()).toMatchObject({ code: 'platform_unreachable' });
  expect((await anna.send('GET', `/accounts/${id}`)).body.status).toBe('active');
});

it('takes new credentials of the same account, and none of another', async () => {
  const { given, fake } = await startMastodon();
  const anna = (await startPublishing(db.url)).as('anna');
  const { id } = await anna.account(given);
  fake.tokens.set('of-bob', 'bob').set('of-alice', 'alice').delete(given.credentials.accessToken);
  const give = (accessToken: string) =>
    anna.send('PATCH', `/accounts/${id}`, { credentials: { ...given.credentials, accessToken } });
  expect(await give('of-bob')).toMatchObject({ status: 409, body: { code: 'conflict' } });
  expect(await give('of-nobody')).toMatchObject({ status: 422, body: { code: 'credentials_refused' } });
  expect((await anna.send('POST', `/accounts/${id}/check`)).body.status).toBe('broken');
  expect(await give('of-alice')).toMatchObject({ status: 200, body: { status: 'active', lastError: null } });
  const { id: made } = await anna.publish({ accountId: id, content: { text: 'With the new one' } });
  await anna.when(made, 'published');
  expect((await anna.send('PATCH', `/accounts/${id}`, { name: 'Renamed' })).body.name).toBe('Renamed');
  expect((await anna.send('PATCH', `/accounts/${id}`, {})).status).toBe(400);
});

it('shows accounts to their own user alone', async () => {
  const { given } = await startWebhook();
  const millrace = await startPublishing(db.url);
  const { id } = await millrace.as('anna').account(given);
  const ben = millrace.as('ben');
  expect((await ben.send('GET', '/accounts')).body.items).toEqual([]);
  const asked = [
    ben.send('GET', `/accounts/${id}`),
    ben.send('PATCH', `/accounts/${id}`, { name: 'mine now' }),
    ben.send('DELETE', `/accounts/${id}`),
    ben.send('POST', `/accounts/${id}/check`),
    ben.send('GET', `/accounts/${id}/slots`),
    ben.send('POST', '/publications', { accountId: id, content: { text: 'Hi' } }),
    ben.send('POST', '/publications', { accountIds: [id], content: { text: 'Hi' } }),
  ];
  for (const { status } of await Promise.all(asked)) expect(status).toBe(404);
});

it('cancels what waits when an account is removed, and forgets its credentials', async () => {
  const { given, fake } = await startWebhook();
  const anna = (await startPublishing(db.url)).as('anna');
  const { id } = await anna.account(given);
  const waiting = await anna.publish({ accountId: id, content: { text: 'Later' }, scheduledAt: LATER });
  expect((await anna.send('DELETE', `/accounts/${id}`)).status).toBe(204);
  expect(await anna.find(waiting.id)).toMatchObject({
    status: 'cancelled',
    history: [{}, { to: 'cancelled', reason: 'its account was removed' }],
  });
  expect((await anna.send('GET', `/accounts/${id}`)).status).toBe(404);
  expect((await anna.send('DELETE', `/accounts/${id}`)).status).toBe(404);
  const [row] = await db.database.db.select().from(accounts).where(eq(accounts.id, id));
  expect(row?.credentials).toBe('');
  expect(fake.posts).toEqual([]);
});

it('seals credentials with the newest key, and says so where the key is missing', async () => {
  const [older, newer] = ['an-older-key-of-more-than-32-characters', 'a-newer-key-of-more-than-32-characters'];
  const { given } = await startWebhook();
  const begin = async (...secretKeys: string[]) =>
    (await startPublishing(db.url, { secretKeys, roles: new Set(['api']) })).as('clara');
  const { id } = await (await begin(older)).account(given);
  const before = await (await begin(newer)).send('GET', `/accounts/${id}`);
  expect(before.body).toMatchObject({ status: 'broken', lastError: expect.stringContaining('MILLRACE_SECRET_KEYS') });
  const both = await begin(newer, older);
  expect((await both.send('POST', `/accounts/${id}/check`)).body.status).toBe('active');
  const after = (await startPublishing(db.url, { secretKeys: [newer] })).as('clara');
  const made = await after.publish({ accountId: id, content: { text: 'Still here' } });
  expect((await after.when(made.id, 'published')).status).toBe('published');
});

it('lets checks and posts of many accounts stand in the line for their host', async () => {
  const { given, fake } = await startWebhook();
  const anna = (await startPublishing(db.url, { hostConcurrency: 1 })).as('anna');
  const { id: accountId } = await anna.account(given);
  fake.plan('slow after', 'ping', 2);
  fake.slowMs = 300;
  const before = fake.calls.length;
  const checks = Array.from({ length: 2 }, () => anna.account(given));
  await vi.waitFor(() => expect(fake.calls).toHaveLength(before + 1));
  const post = await anna.publish({ accountId, content: { text: 'Hello' } });
  await Promise.all(checks);
  await anna.when(post.id, 'published');
  expect(fake.mostAtOnce).toBe(1);
});

it('does not check accounts at a host that is to be left alone', async () => {
  const { given, fake } = await startWebhook();
  const millrace = await startPublishing(db.url);
  fake.outage = 'closed';
  await millrace.app.get(HttpClient).get(fake.url);
  fake.outage = undefined;
  const before = fake.calls.length;
  const refused = await millrace.as('anna').send('POST', '/accounts', { ...given, name: 'x' });
  expect(refused).toMatchObject({ status: 422, body: { code: 'platform_unreachable' } });
  expect(refused.body.detail).toContain('is left alone until');
  expect(fake.calls).toHaveLength(before);
});
