import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { testDatabase } from '../harness/database.js';
import { startFiles, textsOf } from '../publishing/fake-platforms.js';
import type { Publisher } from '../publishing/publisher.js';
import { startWorld } from '../publishing/world.js';

const db = testDatabase();
const RACES = 50;
const LANES = 7;
const ACTS = ['edit', 'cancel', 'publish now'] as const;

/** Around which somebody acts, a moment earlier or later. */
const MOMENTS = ['at once', 'when it is prepared', 'when it is there'] as const;

interface Race {
  id: string;
  act: (typeof ACTS)[number];
  text: string;
  status: number;
}

async function press(anna: Publisher, { id, act, text }: Omit<Race, 'status'>) {
  if (act === 'edit') return anna.send('PATCH', `/publications/${id}`, { content: { text: `${text}, edited` } });
  return act === 'cancel'
    ? anna.send('DELETE', `/publications/${id}`)
    : anna.send('POST', `/publications/${id}/publish-now`);
}

/** What readers are to see after it. */
function shownAfter({ act, text, status }: Race): string[] {
  const isHeeded = status < 300;
  if (act === 'cancel') return isHeeded ? [] : [text];
  return act === 'edit' && isHeeded ? [`${text}, edited`] : [text];
}

it('gives one who acts at any moment around the call one post, none, or a clear answer that it is too late', async () => {
  const { fake, anna, accountId } = await startWorld(db.url, 'facebook');
  const { photo } = await startFiles();
  fake.chances['slow after'] = 1;
  fake.plan('slow after', 'photos', 2 * RACES);
  fake.slowMs = 30;
  const isUploaded = (number: number) => [...fake.photos.values()].some(({ url }) => url.endsWith(`?race=${number}`));
  const race = async (number: number): Promise<Race> => {
    const text = `Race ${number}`;
    const act = ACTS[number % ACTS.length] ?? 'edit';
    const { id } = await anna.publish({ accountId, content: { text, mediaUrls: [`${photo}?race=${number}`] } });
    const moment = MOMENTS[Math.floor(number / ACTS.length) % MOMENTS.length];
    const hasCome = () => (moment === 'when it is there' ? textsOf(fake).includes(text) : isUploaded(number));
    while (moment !== 'at once' && !hasCome()) await sleep(3);
    await sleep(Math.random() * 60);
    const { status, body } = await press(anna, { id, act, text });
    if (status >= 300 || moment === 'when it is there') expect([status, body.code]).toEqual([409, 'too_late']);
    return { id, act, text, status };
  };
  const races: Race[] = [];
  const lane = async (first: number) => {
    for (let number = first; number < RACES; number += LANES) races.push(await race(number));
  };
  await Promise.all(Array.from({ length: LANES }, (_, first) => lane(first)));
  for (const { id, act, status } of races)
    await anna.when(id, act === 'cancel' && status < 300 ? 'cancelled' : 'published');
  for (const one of races) {
    const shown = textsOf(fake).filter((text) => text === one.text || text === `${one.text}, edited`);
    expect(shown, JSON.stringify(one)).toEqual(shownAfter(one));
  }
}, 60_000);

it('refuses a change that comes to nothing, and leaves the post as it was', async () => {
  const { fake, anna, accountId, time } = await startWorld(db.url, 'mastodon');
  const inMinutes = (minutes: number) => new Date(time.now().getTime() + minutes * 60_000).toISOString();
  const { id } = await anna.publish({ accountId, content: { text: 'As it was' }, scheduledAt: inMinutes(10) });
  const before = await anna.find(id);
  const wrong: [object, status: number, path: string][] = [
    [{ scheduledAt: inMinutes(-25 * 60) }, 400, 'scheduledAt'],
    [{ localTime: '2020-01-01T00:00', timezone: 'Europe/Berlin' }, 400, 'localTime'],
    [{ localTime: '2990-01-01T00:00', timezone: 'Europe/Atlantis' }, 400, 'timezone'],
    [{ content: { text: 'x', mediaUrls: ['http://192.168.1.1/a.png'] } }, 422, 'content.mediaUrls.0'],
    [{ content: { text: '' } }, 422, 'content.text'],
  ];
  for (const [change, status, path] of wrong) {
    const answer = await anna.send('PATCH', `/publications/${id}`, { priority: 'high', ...change });
    expect([answer.status, answer.body.errors?.[0].path]).toEqual([status, path]);
  }
  expect(await anna.find(id)).toEqual(before);
  await time.pass(10 * 60_000);
  await anna.when(id, 'published');
  expect(textsOf(fake)).toEqual(['As it was']);
});

it('ends everything that was under way at a stop right after the next start, once', async () => {
  const world = await startWorld(db.url, 'mastodon', { shutdownMs: 200, publishCallMs: 5_000 });
  const { fake, anna, accountId, time, restart } = world;
  const { photo } = await startFiles();
  const publish = async (text: string, more: object = {}) =>
    (await anna.publish({ accountId, content: { text }, ...more })).id;
  fake.slowMs = 60_000;
  fake.plan('slow after');
  const publishing = await publish('At the platform');
  await vi.waitFor(() => expect(textsOf(fake)).toContain('At the platform'), 10_000);
  fake.plan('slow after', 'upload');
  const queued = await publish('Being prepared', { content: { text: 'Being prepared', mediaUrls: [photo] } });
  await vi.waitFor(() => expect(fake.uploads).toHaveLength(1), 10_000);
  const scheduled = await publish('Due meanwhile', {
    scheduledAt: new Date(time.now().getTime() + 60_000).toISOString(),
  });
  const statuses = await Promise.all([publishing, queued, scheduled].map((id) => anna.find(id)));
  expect(statuses.map(({ status }) => status)).toEqual(['publishing', 'queued', 'scheduled']);

  const later = await restart();
  await later.time.pass(60_000);
  for (const id of [publishing, queued, scheduled]) await later.anna.when(id, 'published');
  expect(textsOf(fake).toSorted()).toEqual(['At the platform', 'Being prepared', 'Due meanwhile']);
});
