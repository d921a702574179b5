import { expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { startPublishing, startWebhook } from '../../../test/publishing/publisher.js';
import type { PublicationView } from '../publications/publication-view.js';

const db = testDatabase();
const EVERY_DAY = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const content = { text: 'In line' };

interface Slot {
  at: string;
  localTime: string;
  free: boolean;
  publicationId: string | null;
}

async function withSlots(user: string) {
  const { given } = await startWebhook();
  const millrace = await startPublishing(db.url);
  const anna = millrace.as(user);
  const { id: accountId } = await anna.account(given);
  const slots = {
    timezone: 'Asia/Kolkata',
    times: [
      { days: EVERY_DAY, time: '09:00' },
      { days: EVERY_DAY, time: '17:30' },
    ],
  };
  const list = async (query = '?limit=4'): Promise<Slot[]> =>
    (await anna.send('GET', `/accounts/${accountId}/slots${query}`)).body.items;
  return {
    anna,
    accountId,
    slots,
    list,
    give: (to: unknown) => anna.send('PATCH', `/accounts/${accountId}`, { slots: to }),
  };
}

it('keeps slots as they were given, and shows the next ones, taken or free', async () => {
  const { anna, accountId, slots, list, give } = await withSlots('anna');
  expect(await list()).toEqual([]);
  expect((await give(slots)).body.slots).toEqual(slots);
  const [first, second] = await list();
  expect(first).toMatchObject({ free: true, publicationId: null, timezone: 'Asia/Kolkata' });
  const made = await anna.publish({ accountId, content, slot: 'next' });
  expect(made).toMatchObject({
    scheduledAt: first?.at,
    localTime: first?.localTime,
    timezone: 'Asia/Kolkata',
    slot: true,
  });
  const next = await anna.publish({ accountId, content, slot: 'next' });
  expect(next.scheduledAt).toBe(second?.at);
  expect((await list()).map(({ publicationId }) => publicationId)).toEqual([made.id, next.id, null, null]);
  const { items, nextCursor } = (await anna.send('GET', `/accounts/${accountId}/slots?limit=2`)).body;
  const [third] = await list(`?limit=1&cursor=${nextCursor}`);
  expect([...items, third].map(({ at }) => at)).toEqual((await list('?limit=3')).map(({ at }) => at));
  expect((await list(`?limit=1&from=${encodeURIComponent(second?.at ?? '')}`))[0]?.at).toBe(third?.at);
});

it('gives a slot back when what had taken it is cancelled or moved', async () => {
  const { anna, accountId, slots, list, give } = await withSlots('berta');
  await give(slots);
  const [first, second] = await list();
  const one = await anna.publish({ accountId, content, slot: 'next' });
  const other = await anna.publish({ accountId, content, slot: 'next' });
  await anna.send('DELETE', `/publications/${one.id}`);
  const moved = await anna.send('PATCH', `/publications/${other.id}`, { slot: 'next' });
  expect(moved.body).toMatchObject({ scheduledAt: first?.at, slot: true });
  const later = await anna.send('PATCH', `/publications/${other.id}`, { scheduledAt: '2990-01-01T00:00:00Z' });
  expect(later.body).toMatchObject({ slot: false, timezone: null, localTime: null });
  expect((await list()).map(({ free }) => free)).toEqual([true, true, true, true]);
  expect((await anna.publish({ accountId, content, slot: 'next' })).scheduledAt).toBe(first?.at);
  expect((await anna.publish({ accountId, content, slot: 'next' })).scheduledAt).toBe(second?.at);
});

it('gives each of many who ask at once a slot of their own', async () => {
  const { anna, accountId, slots, list, give } = await withSlots('carl');
  await give(slots);
  const { id: hookId } = await anna.account((await startWebhook()).given);
  await anna.send('PATCH', `/accounts/${hookId}`, { slots });
  const waiting = await anna.publish({ accountId, content, scheduledAt: '2990-01-01T00:00:00Z' });
  const asked = [
    ...Array.from({ length: 6 }, () =>
      anna.send('POST', '/publications', { accountIds: [accountId, hookId], content, slot: 'next' }),
    ),
    ...Array.from({ length: 6 }, () =>
      anna.send('POST', '/publications', { accountIds: [hookId, accountId], content, slot: 'next' }),
    ),
    anna.send('PATCH', `/publications/${waiting.id}`, { slot: 'next' }),
  ];
  const answers = await Promise.all(asked);
  for (const { status, body } of answers) expect([200, 202], JSON.stringify(body)).toContain(status);
  const made: PublicationView[] = answers.flatMap(({ body }) => body.items ?? [body]);
  const taken = made.filter((one) => one.accountId === accountId).map(({ scheduledAt }) => scheduledAt);
  expect(taken.toSorted()).toEqual((await list('?limit=13')).map(({ at }) => at));
});

it('refuses rules that are none, and a slot where there are none', async () => {
  const { anna, accountId, slots, give } = await withSlots('dora');
  const wrong: [unknown, path: string][] = [
    [{ ...slots, timezone: 'Nowhere' }, 'slots.timezone'],
    [{ ...slots, times: [] }, 'slots.times'],
    [{ ...slots, times: [{ days: ['monday'], time: '09:00' }] }, 'slots.times.0.days.0'],
    [{ ...slots, times: [{ days: ['mon'], time: '24:00' }] }, 'slots.times.0.time'],
  ];
  for (const [rules, path] of wrong) expect((await give(rules)).body.errors?.[0].path).toBe(path);
  const ask = async (more = {}) =>
    (await anna.send('POST', '/publications', { accountId, content, slot: 'next', ...more })).body;
  expect(await ask()).toMatchObject({ code: 'no_free_slot', detail: expect.stringContaining('has no slots') });
  await give(slots);
  const soon = new Date(Date.now() + 1_000).toISOString();
  expect((await ask({ expiresAt: soon })).errors[0].path).toBe('expiresAt');
  expect((await give(null)).body.slots).toBeNull();
});
