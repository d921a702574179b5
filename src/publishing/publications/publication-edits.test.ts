import { expect, it, vi } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { startSite } from '../../../test/harness/site.js';
import { adminKey, startMastodon, startPublishing } from '../../../test/publishing/publisher.js';

const db = testDatabase();
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

async function withMastodon() {
  const mastodon = await startMastodon();
  const millrace = await startPublishing(db.url);
  const anna = millrace.as('anna');
  const { id: accountId } = await anna.account(mastodon.given);
  const picture = async () =>
    (await startSite((_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(PNG))).url(
      '/a.png',
      '127.0.0.1',
    );
  return { ...mastodon, millrace, anna, accountId, picture };
}

it('changes what waits, and publishes what it has become', async () => {
  const { anna, accountId, fake } = await withMastodon();
  const { id } = await anna.publish({ accountId, content: { text: 'Old' }, scheduledAt: inHours(1) });
  const change = (body: object) => anna.send('PATCH', `/publications/${id}`, body);
  const expiresAt = inHours(5);
  expect((await change({ priority: 'high', expiresAt })).body).toMatchObject({
    priority: 'high',
    expiresAt,
    version: 2,
  });
  expect(await change({ content: { text: 'x'.repeat(501) } })).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'content.text', message: expect.stringContaining('1 more') }] },
  });
  expect((await change({ scheduledAt: inHours(6) })).body.errors[0].path).toBe('expiresAt');
  expect((await change({})).status).toBe(400);
  expect((await change({ timezone: 'Europe/Berlin' })).body.errors[0].path).toBe('timezone');
  await change({ expiresAt: null });
  const moved = await change({ localTime: '2990-07-01T09:00', timezone: 'Europe/Berlin', content: { text: 'New' } });
  expect(moved.body).toMatchObject({ scheduledAt: '2990-07-01T07:00:00.000Z', expiresAt: null, version: 4 });
  expect(moved.body.history.at(-1).reason).toBe('its user changed the content, the time');
  expect((await anna.send('POST', `/publications/${id}/publish-now`)).status).toBe(202);
  await anna.when(id, 'published');
  expect(fake.posts.map(({ text }) => text)).toEqual(['New']);
});

it('publishes only what it has become when it is changed while it is prepared', async () => {
  const { anna, accountId, fake, picture } = await withMastodon();
  fake.slowMs = 2_000;
  fake.plan('slow after', 'upload');
  const made = await anna.publish({ accountId, content: { text: 'Old', mediaUrls: [await picture()] } });
  await vi.waitFor(() => expect(fake.uploads).toHaveLength(1), 10_000);
  const { status, body } = await anna.send('PATCH', `/publications/${made.id}`, { content: { text: 'New' } });
  expect([status, body.version]).toEqual([200, 2]);
  await anna.when(made.id, 'published');
  await new Promise((resolve) => setTimeout(resolve, fake.slowMs));
  expect(fake.posts.map(({ text, media }) => [text, media])).toEqual([['New', []]]);
});

it('publishes nothing when it is cancelled while it is prepared', async () => {
  const { anna, accountId, fake, picture } = await withMastodon();
  fake.slowMs = 1_500;
  fake.plan('slow after', 'upload');
  const made = await anna.publish({ accountId, content: { text: 'Never', mediaUrls: [await picture()] } });
  await vi.waitFor(() => expect(fake.uploads).toHaveLength(1), 10_000);
  expect((await anna.send('DELETE', `/publications/${made.id}`)).body.status).toBe('cancelled');
  await new Promise((resolve) => setTimeout(resolve, fake.slowMs + 1_500));
  expect(fake.posts).toEqual([]);
  expect((await anna.find(made.id)).status).toBe('cancelled');
});

it('says that it is too late once the platform is being asked, and once it has answered', async () => {
  const { anna, accountId, fake } = await withMastodon();
  fake.slowMs = 3_000;
  fake.plan('slow after');
  const { id } = await anna.publish({ accountId, content: { text: 'On its way' } });
  await anna.when(id, 'publishing');
  const acts = () => [
    anna.send('PATCH', `/publications/${id}`, { content: { text: 'Too late' } }),
    anna.send('DELETE', `/publications/${id}`),
    anna.send('POST', `/publications/${id}/publish-now`),
  ];
  for (const { status, body } of await Promise.all(acts())) {
    expect([status, body.code]).toEqual([409, 'too_late']);
    expect(body.detail).toContain('is being published since');
  }
  await anna.when(id, 'published');
  for (const { status, body } of await Promise.all(acts())) {
    expect([status, body.detail]).toEqual([409, expect.stringContaining('was published at')]);
  }
  expect(fake.posts.map(({ text }) => text)).toEqual(['On its way']);
});

it('lets one of many who press at once have it, and publishes it once', async () => {
  const { anna, accountId, fake } = await withMastodon();
  const { id } = await anna.publish({ accountId, content: { text: 'Once' }, scheduledAt: inHours(1) });
  const pressed = await Promise.all(
    Array.from({ length: 8 }, () => anna.send('POST', `/publications/${id}/publish-now`)),
  );
  for (const { status } of pressed) expect([202, 409]).toContain(status);
  await anna.when(id, 'published');
  expect(fake.posts.map(({ text }) => text)).toEqual(['Once']);
});

it('cancels once, and answers the same again', async () => {
  const { anna, accountId } = await withMastodon();
  const { id } = await anna.publish({ accountId, content: { text: 'No' }, scheduledAt: inHours(1) });
  for (const { status, body } of [
    await anna.send('DELETE', `/publications/${id}`),
    await anna.send('DELETE', `/publications/${id}`),
  ]) {
    expect([status, body.status]).toEqual([200, 'cancelled']);
    expect(body.history.filter(({ to }: { to: string }) => to === 'cancelled')).toHaveLength(1);
  }
});

it('tries a failed one again, and closes its dead letter', async () => {
  const { millrace, anna, accountId, fake } = await withMastodon();
  fake.refuse({ status: 422, body: { error: 'Validation failed: no' } });
  const { id } = await anna.publish({ accountId, content: { text: 'Second try' } });
  const failed = await anna.when(id, 'failed');
  expect(failed.lastError).toContain('Validation failed: no');
  const letters = async () => {
    const url = '/api/v1/dead-letters?queue=publish-mastodon';
    const { items } = (await millrace.send({ url, key: adminKey })).json();
    return items.filter(({ payload }: { payload: { publicationId: string } }) => payload.publicationId === id);
  };
  expect(await letters()).toMatchObject([{ state: 'open' }]);
  fake.refusals.clear();
  expect(await anna.send('POST', `/publications/${id}/retry`)).toMatchObject({ status: 202, body: { attempts: 0 } });
  await anna.when(id, 'published');
  expect(await letters()).toMatchObject([{ state: 'replayed' }]);
  expect(fake.posts.map(({ text }) => text)).toEqual(['Second try']);
  expect(await anna.send('POST', `/publications/${id}/retry`)).toMatchObject({
    status: 409,
    body: { code: 'conflict' },
  });
});
