import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { startMastodon, startPublishing } from '../../../test/publishing/publisher.js';
import { publications } from './publications.table.js';

const db = testDatabase();

/** Creates a publication with an unknown outcome. */
async function withUnknown() {
  const { fake, given } = await startMastodon();
  const anna = (await startPublishing(db.url)).as('anna');
  const { id: accountId } = await anna.account(given);
  const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
  const { id } = await anna.publish({ accountId, content: { text: 'Was it?' }, scheduledAt });
  const change = { status: 'unknown', intendedAt: new Date(), lastError: 'no answer', attempts: 3 } as const;
  await db.database.db.update(publications).set(change).where(eq(publications.id, id));
  return {
    fake,
    anna,
    id,
    accountId,
    resolve: (body: object) => anna.send('POST', `/publications/${id}/resolve`, body),
  };
}

it('asks a person, who confirms that it is there', async () => {
  const { anna, id, resolve, fake } = await withUnknown();
  expect((await anna.find(id)).waitingFor).toContain('a person');
  expect((await anna.send('DELETE', `/publications/${id}`)).body.detail).toContain('may be on the platform');
  const known = { platformPostId: '42', platformUrl: 'https://mastodon.example/@alice/42' };
  const { status, body } = await resolve({ outcome: 'published', ...known });
  expect([status, body.status]).toEqual([200, 'published']);
  expect(body).toMatchObject({ ...known, lastError: null });
  expect(await resolve({ outcome: 'published' })).toMatchObject({ status: 409, body: { code: 'conflict' } });
  expect(fake.posts).toEqual([]);
});

it('tries again what is not there, if that is wanted', async () => {
  const { anna, id, resolve, fake } = await withUnknown();
  expect((await resolve({ outcome: 'not_published', retry: true })).body.attempts).toBe(0);
  await anna.when(id, 'published');
  expect(fake.posts.map(({ text }) => text)).toEqual(['Was it?']);
});

it('leaves it failed otherwise, and may be asked for another try later', async () => {
  const { anna, id, resolve, fake } = await withUnknown();
  expect((await resolve({ outcome: 'not_published', retry: false })).body.status).toBe('failed');
  expect(fake.posts).toEqual([]);
  expect((await anna.send('POST', `/publications/${id}/retry`)).status).toBe(202);
  await anna.when(id, 'published');
});

it('publishes nothing on an account that was removed meanwhile', async () => {
  const { anna, accountId, resolve, fake } = await withUnknown();
  await anna.send('DELETE', `/accounts/${accountId}`);
  const answer = await resolve({ outcome: 'not_published', retry: true });
  expect(answer).toMatchObject({ status: 409, body: { detail: expect.stringContaining('was removed') } });
  expect(fake.posts).toEqual([]);
});

it('wants to know which it is', async () => {
  const { resolve } = await withUnknown();
  for (const body of [{}, { outcome: 'maybe' }, { outcome: 'not_published' }, { outcome: 'published', retry: true }]) {
    expect((await resolve(body)).status, JSON.stringify(body)).toBe(400);
  }
});
