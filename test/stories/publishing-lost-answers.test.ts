import { expect, it } from 'vitest';
import { testDatabase } from '../harness/database.js';
import type { Fault } from '../platforms/faulty-api.js';
import { contentFor, PLACES, startFiles, startPlace, textsOf } from '../publishing/fake-platforms.js';
import { startPublishing } from '../publishing/publisher.js';
import { startWorld } from '../publishing/world.js';

const db = testDatabase();
const HOUR_MS = 3_600_000;
const POLLING = { timeout: 100_000, interval: 300 };
const TEST_MS = 120_000;
const TEXTS = ['Dawn', 'Dusk', 'Midnight', 'Noon'];

/** Comes before the call has an effect, or after it: nobody can tell from what is left of the answer. */
const FAULTS: Fault[] = ['drops after', 'fails before', 'fails after', 'drops before'];

it(
  'publishes once on every platform, whatever becomes of the answer',
  async () => {
    const places = await Promise.all(PLACES.map((platform) => startPlace(platform)));
    const config = Object.assign({}, ...places.map((place) => place.config));
    const { as, time } = await startPublishing(db.url, config);
    const anna = as('anna');
    const files = await startFiles();
    const publishAll = async ({ fake, given }: (typeof places)[number]): Promise<string[]> => {
      fake.now = time.now;
      for (const fault of FAULTS) fake.plan(fault);
      const { id: accountId } = await anna.account(given);
      const contents = TEXTS.map((text) => contentFor(given.platform, text, files));
      return Promise.all(contents.map(async (content) => (await anna.publish({ accountId, content })).id));
    };
    const ids = (await Promise.all(places.map(publishAll))).flat();
    await expect
      .poll(async () => {
        await time.pass(30_000);
        const { items } = (await anna.send('GET', '/publications?status=published&limit=100')).body;
        return items.length;
      }, POLLING)
      .toBe(ids.length);
    for (const id of ids) expect((await anna.find(id)).platformPostId).toMatch(/./);
    for (const { fake, given } of places) expect(textsOf(fake).toSorted(), given.platform).toEqual(TEXTS);
  },
  TEST_MS,
);

it(
  'tells posts alike on one account apart, though their answers are lost',
  async () => {
    const { fake, anna, accountId, time } = await startWorld(db.url, 'facebook');
    fake.refusesRepetitions = false;
    fake.plan('drops after');
    fake.plan('drops after');
    const content = { text: 'Word for word' };
    const made = await Promise.all([0, 1, 2].map(() => anna.publish({ accountId, content })));
    const postIds = async () => {
      await time.pass(10_000);
      const now = await Promise.all(made.map(({ id }) => anna.find(id)));
      return new Set(now.map(({ platformPostId }) => platformPostId).filter(Boolean)).size;
    };
    await expect.poll(postIds, POLLING).toBe(3);
    expect(textsOf(fake)).toEqual(['Word for word', 'Word for word', 'Word for word']);
  },
  TEST_MS,
);

it('asks a person about a post that could not be looked for, and records the answer', async () => {
  const { fake, anna, accountId, time } = await startWorld(db.url, 'facebook');
  fake.refuse({ status: 500, body: {} }, 'published_posts');
  const texts = ['Seen', 'Not seen', 'Not seen, again'];
  const ids: string[] = [];
  for (const text of texts) {
    fake.plan(text === 'Seen' ? 'drops after' : 'drops before');
    ids.push((await anna.publish({ accountId, content: { text } })).id);
    await anna.waits(ids.at(-1) ?? '');
  }
  const [seen = '', notSeen = '', again = ''] = ids;
  for (const hours of [1, 12, 10]) {
    await time.pass(hours * HOUR_MS);
    for (const id of ids) {
      const waiting = await anna.waits(id);
      expect(waiting).toMatchObject({ status: 'publishing', lastError: expect.stringContaining('could not be seen') });
    }
  }
  await time.pass(2 * HOUR_MS);
  for (const id of ids) {
    const { lastError, waitingFor } = await anna.when(id, 'unknown');
    expect(lastError).toContain('could not be asked for a day');
    expect(waitingFor).toContain('a person');
  }
  fake.refusals.clear();
  const resolve = async (id: string, body: object) =>
    (await anna.send('POST', `/publications/${id}/resolve`, body)).body;
  expect(await resolve(seen, { outcome: 'published' })).toMatchObject({ status: 'published' });
  expect(await resolve(notSeen, { outcome: 'not_published', retry: false })).toMatchObject({ status: 'failed' });
  expect(await resolve(again, { outcome: 'not_published', retry: true })).toMatchObject({ attempts: 0 });
  await anna.when(again, 'published');
  expect(textsOf(fake)).toEqual(['Seen', 'Not seen, again']);
});

it('asks somebody about a post that a server seems to show in other words, and sends it no second time', async () => {
  const { fake, anna, accountId, time } = await startWorld(db.url, 'mastodon');
  fake.honoursKeys = false;
  fake.writes = ({ content, ...rest }) => ({ ...rest, content: `${content} (shown otherwise)` });
  fake.plan('drops after');
  const { id } = await anna.publish({ accountId, content: { text: 'In other words' } });
  await anna.waits(id);
  await time.pass(60_000);
  expect((await anna.when(id, 'unknown')).lastError).toContain(`${fake.posts[0]?.id}`);
  await time.pass(HOUR_MS);
  expect(textsOf(fake)).toEqual(['In other words']);
});

it(
  'repeats a call with its key where the platform cannot be read',
  async () => {
    const { fake, anna, accountId, time } = await startWorld(db.url, 'mastodon');
    fake.plan('no JSON after', 'list', 100);
    fake.plan('drops after');
    const { id } = await anna.publish({ accountId, content: { text: 'Not to be read' } });
    await anna.waits(id);
    await expect
      .poll(async () => {
        await time.pass(30_000);
        return (await anna.find(id)).status;
      }, POLLING)
      .toBe('published');
    expect(textsOf(fake)).toEqual(['Not to be read']);
  },
  TEST_MS,
);
