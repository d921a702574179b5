import { describe, expect, it } from 'vitest';
import { testDatabase } from '../harness/database.js';
import { startSite } from '../harness/site.js';
import { startFiles, textsOf } from '../publishing/fake-platforms.js';
import { adminKey, type Publishing } from '../publishing/publisher.js';
import { out, startWorld } from '../publishing/world.js';

const db = testDatabase();
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

interface Letter {
  id: string;
  state: string;
  reason: string;
  attempts: number;
  payload: { publicationId: string };
}

async function lettersOf({ send }: Publishing, publicationId: string): Promise<Letter[]> {
  const { items } = (await send({ url: '/api/v1/dead-letters?limit=100', key: adminKey })).json();
  return items.filter(({ payload }: Letter) => payload.publicationId === publicationId);
}

const replay = ({ send }: Publishing, { id }: Letter) =>
  send({ method: 'POST', url: `/api/v1/dead-letters/${id}/replay`, key: adminKey });

describe('what may pass', () => {
  it('is tried three times, one and two minutes apart, is then a dead letter, and goes out when that is replayed', async () => {
    const { fake, anna, accountId, millrace, time } = await startWorld(db.url, 'mastodon');
    const { photo } = await startFiles();
    fake.plan('no JSON after', 'upload', 3);
    const { id } = await anna.publish({ accountId, content: { text: 'Third time lucky', mediaUrls: [photo] } });
    for (const [attempts, minutes] of [
      [1, 1],
      [2, 2],
    ] as const) {
      const waiting = await anna.waits(id);
      expect(waiting).toMatchObject({ status: 'scheduled', attempts, waitingFor: 'another try' });
      const until = Date.parse(waiting.waitsUntil ?? '') - time.now().getTime();
      expect(Math.round(until / MINUTE_MS)).toBe(minutes);
      await time.pass(minutes * MINUTE_MS - 10_000);
      expect(await anna.find(id)).toMatchObject({ status: 'scheduled', attempts });
      await time.pass(10_000);
      await expect.poll(async () => (await anna.find(id)).attempts, { timeout: 20_000 }).toBe(attempts + 1);
    }
    expect(await anna.when(id, 'failed')).toMatchObject({ attempts: 3, lastError: expect.stringContaining('no JSON') });
    const [letter] = await lettersOf(millrace, id);
    expect(letter).toMatchObject({ state: 'open', attempts: 3, reason: expect.stringContaining('no JSON') });
    await time.pass(2 * DAY_MS);
    expect((await replay(millrace, letter as Letter)).statusCode).toBe(202);
    await anna.when(id, 'published');
    expect(textsOf(fake)).toEqual(['Third time lucky']);
    expect(await lettersOf(millrace, id)).toMatchObject([{ state: 'replayed' }]);
  });
});

it('goes out once, at no further attempt, when only the call that shows it has failed for a while', async () => {
  const { fake, anna, accountId, time } = await startWorld(db.url, 'facebook');
  fake.plan('fails before', undefined, 5);
  const { id } = await anna.publish({ accountId, content: { text: 'Patience' } });
  const startedAt = time.now().getTime();
  for (let { status } = await anna.waits(id); status !== 'published'; { status } = await anna.find(id)) {
    await time.pass(30_000);
    if (time.now().getTime() - startedAt > 60 * MINUTE_MS) break;
  }
  expect(await anna.when(id, 'published')).toMatchObject({ attempts: 1 });
  expect(textsOf(fake)).toEqual(['Patience']);
  expect(time.now().getTime() - startedAt).toBeGreaterThan(10 * MINUTE_MS);
});

describe('what cannot succeed', () => {
  it('is not tried again, and says why', async () => {
    const { fake, anna, accountId, millrace, time } = await startWorld(db.url, 'linkedin');
    fake.refuse({ status: 422, body: { message: 'commentary is forbidden here' } });
    const { id } = await anna.publish({ accountId, content: { text: 'Forbidden' } });
    expect(await anna.when(id, 'failed')).toMatchObject({
      attempts: 1,
      waitingFor: null,
      lastError: expect.stringContaining('commentary is forbidden here'),
    });
    expect(await lettersOf(millrace, id)).toMatchObject([{ state: 'open', attempts: 1 }]);
    const asked = fake.calls.length;
    await time.pass(10 * MINUTE_MS);
    expect(fake.calls).toHaveLength(asked);
    expect((await anna.send('GET', `/accounts/${accountId}`)).body.status).toBe('active');
  });

  it('because a token does not work breaks the account, until it has another one', async () => {
    const { fake, given, anna, accountId, millrace } = await startWorld(db.url, 'mastodon');
    fake.tokens.clear();
    const content = { text: 'With a new token' };
    const { id } = await anna.publish({ accountId, content });
    expect(await anna.when(id, 'failed')).toMatchObject({ attempts: 1, lastError: expect.stringContaining('401') });
    expect(await lettersOf(millrace, id)).toMatchObject([{ state: 'open' }]);
    const account = () => anna.send('GET', `/accounts/${accountId}`);
    expect((await account()).body).toMatchObject({ status: 'broken', lastError: expect.stringContaining('401') });
    const refused = await anna.send('POST', '/publications', { accountId, content });
    expect(refused.body.code).toBe('account_broken');
    fake.tokens.set('a-new-token', 'alice');
    const credentials = { ...given.credentials, accessToken: 'a-new-token' };
    expect((await anna.send('PATCH', `/accounts/${accountId}`, { credentials })).status).toBe(200);
    expect((await account()).body).toMatchObject({ status: 'active', lastError: null });
    expect((await anna.send('POST', `/publications/${id}/retry`)).status).toBe(202);
    await anna.when(id, 'published');
    expect(textsOf(fake)).toEqual(['With a new token']);
    expect(await lettersOf(millrace, id)).toMatchObject([{ state: 'replayed' }]);
  });
});

describe('a file', () => {
  const MAX_BYTES = 10_000;
  const LARGE = { 'content-type': 'image/png', 'content-length': 12_000 };
  const files = () =>
    startSite(({ url, method }, response) => {
      if (url === '/gone.png') response.writeHead(404).end();
      else if (url === '/inside.png') response.writeHead(302, { location: 'http://10.0.0.1/a.png' }).end();
      else if (url === '/large.png') response.writeHead(200, LARGE).end(method === 'HEAD' ? '' : Buffer.alloc(12_000));
      else response.writeHead(404).end();
    });
  const PATHS = ['/gone.png', '/large.png', '/inside.png'];
  const WORDS = [/404/, /12000 bytes, 2000 more/, /10\.0\.0\.1/];

  it('that is missing, huge or leads inside is refused with its number when a post is made', async () => {
    const { anna, accountId } = await startWorld(db.url, 'facebook', { mediaBytes: MAX_BYTES });
    const site = await files();
    const mediaUrls = PATHS.map((path) => site.url(path, '127.0.0.1'));
    const { status, body } = await anna.send('POST', '/publications', {
      accountId,
      content: { text: 'See', mediaUrls },
    });
    expect([status, body.code]).toEqual([422, 'content_refused']);
    for (const [place, words] of WORDS.entries()) {
      expect(body.errors[place]).toMatchObject({
        path: `content.mediaUrls.${place}`,
        message: expect.stringMatching(words),
      });
    }
    expect((await anna.send('GET', `/publications?account=${accountId}`)).body.items).toEqual([]);
  });

  it('that has become so when it is fetched fails its post without another try', async () => {
    const { fake, anna, accountId, millrace } = await startWorld(db.url, 'mastodon', { mediaBytes: MAX_BYTES });
    const site = await files();
    for (const path of PATHS) {
      const content = { text: path, mediaUrls: [site.url(path, '127.0.0.1')] };
      const { id } = await anna.publish({ accountId, content, checkMedia: false });
      expect(await anna.when(id, 'failed')).toMatchObject({ attempts: 1, lastError: expect.stringContaining(path) });
      expect(await lettersOf(millrace, id)).toMatchObject([{ state: 'open', attempts: 1 }]);
    }
    expect(fake.calls.filter((call) => /status|upload/.test(call))).toEqual([]);
    expect((await anna.send('GET', `/accounts/${accountId}`)).body.status).toBe('active');
  });
});

describe('a token that has run out', () => {
  it.each(['before use', 'when it is refused'])('is renewed once for several posts at once, %s', async (when) => {
    const { fake, anna, accountId, time } = await startWorld(db.url, 'bluesky');
    await out(anna, accountId, 'Signed in');
    const renewals = () => fake.calls.filter((call) => /\((renew|sign in)\)$/.test(call)).length;
    const before = renewals();
    if (when === 'before use') await time.pass(3 * 60 * MINUTE_MS);
    else fake.expireAccess();
    const texts = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'];
    const made = await Promise.all(texts.map((text) => anna.publish({ accountId, content: { text } })));
    for (const { id } of made) await anna.when(id, 'published');
    expect(renewals() - before).toBe(1);
    expect(textsOf(fake).toSorted()).toEqual(['Signed in', ...texts].toSorted());
  });
});
