import { describe, expect, it, onTestFinished } from 'vitest';
import { testDatabase } from '../../../../test/harness/database.js';
import { graphError } from '../../../../test/platforms/fake-graph-api.js';
import {
  FakeInstagramPublishing,
  INSTAGRAM_TOKEN,
  INSTAGRAM_USER,
} from '../../../../test/platforms/fake-instagram-publishing.js';
import type { Answer } from '../../../../test/platforms/faulty-api.js';
import { content, failureOf, publishingTools } from '../../../../test/platforms/publishing-tools.js';
import type { Content, MediaFile, PublishCommand } from '../../platform.js';
import { instagram } from './instagram.js';

const store = testDatabase();
const credentials = { userId: INSTAGRAM_USER, accessToken: INSTAGRAM_TOKEN };
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const PHOTO = 'https://files.example/a.jpg';
const VIDEO = 'https://files.example/film.mp4';
const SEVERAL = [PHOTO, VIDEO, 'https://files.example/c.jpeg'];

async function newAccount(media: Record<string, MediaFile> = {}) {
  const api = await FakeInstagramPublishing.startApart();
  onTestFinished(() => api.close());
  const config = { instagramUrl: api.url };
  const pauses: number[] = [];
  const clock = { now: () => new Date() };
  api.now = () => clock.now();
  const tools = {
    ...publishingTools(store.database, { config, media }),
    now: () => clock.now(),
    pause: async (ms: number) => {
      pauses.push(ms);
    },
  };
  const saved: unknown[] = [];
  const save = async (progress: unknown) => {
    saved.push(structuredClone(progress));
  };
  const prepare = async (command: PublishCommand) => instagram.prepare?.(command, tools, save);
  /** Prepares and stores the intent, as the engine does. */
  const intend = async (given: Partial<Content>, intendedAt = clock.now()) => {
    const command = commandFor(given);
    return { ...command, progress: await prepare(command), intendedAt };
  };
  const publish = async (given: Partial<Content>) => instagram.publish(await intend(given), tools);
  const find = async (command: PublishCommand) => instagram.find?.(command, tools);
  return { api, tools, pauses, clock, saved, prepare, intend, publish, find };
}

const commandFor = (given: Partial<Content>): PublishCommand => ({
  content: content({ text: 'Fresh bread', mediaUrls: [PHOTO], ...given }),
  credentials,
  key: '0123456789abcdef0123456789abcdef',
  intendedAt: undefined,
  progress: undefined,
});

const made = (api: FakeInstagramPublishing) => api.calls.filter((call) => call.endsWith('(container)')).length;

describe('a post', () => {
  it('has a photo and a caption', async () => {
    const { api, publish } = await newAccount();
    const { postId, url } = await publish({ text: 'Bread – 🥖\n#fresh' });
    expect(api.posts).toMatchObject([{ id: postId, text: 'Bread – 🥖\n#fresh', type: 'IMAGE', media: [PHOTO] }]);
    expect(url).toBe(`https://www.instagram.com/p/${postId}/`);
  });

  it('has its link in the caption', async () => {
    const { api, publish } = await newAccount();
    await publish({ link: 'https://news.example/story' });
    expect(api.posts).toMatchObject([{ text: 'Fresh bread\n\nhttps://news.example/story' }]);
  });

  it('is a reel if it is a video', async () => {
    const { api, publish } = await newAccount();
    await publish({ text: '', mediaUrls: [VIDEO] });
    expect(api.posts).toMatchObject([{ text: '', type: 'VIDEO', media: [VIDEO] }]);
  });

  it('is a carousel of several media in their order', async () => {
    const { api, publish } = await newAccount();
    await publish({ mediaUrls: SEVERAL });
    expect(api.posts).toMatchObject([{ type: 'CAROUSEL_ALBUM', media: SEVERAL, text: 'Fresh bread' }]);
  });

  it('is what the file says where the address does not tell', async () => {
    const [photo, film] = ['https://files.example/1', 'https://files.example/2'];
    const file = (type: string) => ({ bytes: new Uint8Array(1), type, name: 'file' });
    const { api, publish } = await newAccount({ [photo]: file('image/jpeg'), [film]: file('video/mp4') });
    await publish({ mediaUrls: [photo, film] });
    await publish({ mediaUrls: [film] });
    expect(api.posts.map(({ type }) => type)).toEqual(['CAROUSEL_ALBUM', 'VIDEO']);
  });

  it('is refused with a file that is neither a JPEG nor a film', async () => {
    const address = 'https://files.example/1';
    const { publish } = await newAccount({ [address]: { bytes: new Uint8Array(1), type: 'image/webp', name: 'x' } });
    expect(await failureOf(publish({ mediaUrls: [address] }))).toMatchObject({
      code: 'REFUSED',
      message: 'Instagram takes JPEG photos, MP4 and MOV videos, but no image/webp',
    });
  });

  it('is published though its address cannot be read afterwards', async () => {
    const { api, publish } = await newAccount();
    api.plan('fails before', 'node');
    expect(await publish({})).toEqual({ postId: api.posts[0]?.id, url: undefined });
  });
});

describe('preparing', () => {
  it('waits until Instagram has worked through the media, and shows nothing', async () => {
    const { api, pauses, prepare } = await newAccount();
    api.working = 3;
    await prepare(commandFor({}));
    expect(pauses).toEqual([1000, 2000, 3000]);
    expect(api.posts).toEqual([]);
  });

  it('gives up waiting after five minutes, and goes on with the same container later', async () => {
    const { api, pauses, prepare, saved } = await newAccount();
    api.working = 15;
    const failure = await failureOf(prepare(commandFor({})));
    expect(failure).toMatchObject({ code: 'UNAVAILABLE', message: 'Instagram is still at work on the media' });
    expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBe(5 * MINUTE_MS);
    await prepare({ ...commandFor({}), progress: saved.at(-1) });
    expect(made(api)).toBe(1);
  });

  it('goes on after the parts that an earlier try has made', async () => {
    const { api, tools, prepare, saved } = await newAccount();
    const command = commandFor({ mediaUrls: SEVERAL });
    await prepare(command);
    expect(saved).toHaveLength(4);
    for (const [at, left] of [3, 2, 1, 0].entries()) {
      const before = made(api);
      const progress = await prepare({ ...command, progress: saved[at] });
      expect(made(api) - before).toBe(left);
      if (left) await instagram.publish({ ...command, progress, intendedAt: new Date() }, tools);
    }
    expect(api.posts.map(({ media }) => media)).toEqual([SEVERAL, SEVERAL, SEVERAL]);
  });

  it('makes a new container when the old one has expired', async () => {
    const { api, clock, prepare, tools } = await newAccount();
    const command = commandFor({ mediaUrls: SEVERAL });
    const progress = await prepare(command);
    const later = new Date(Date.now() + DAY_MS);
    clock.now = () => later;
    const again = await prepare({ ...command, progress });
    expect(made(api)).toBe(8);
    await instagram.publish({ ...command, progress: again, intendedAt: later }, tools);
    expect(api.posts).toMatchObject([{ media: SEVERAL }]);
  });

  it('makes a new container when the old one is gone, or the content was changed', async () => {
    const { api, prepare } = await newAccount();
    const progress = await prepare(commandFor({}));
    await prepare({ ...commandFor({ text: 'Stale bread' }), progress });
    api.containers.clear();
    await prepare({ ...commandFor({}), progress });
    expect(made(api)).toBe(3);
  });

  it('creates nothing again that was published', async () => {
    const { api, tools, intend, prepare } = await newAccount();
    const command = await intend({});
    await instagram.publish(command, tools);
    expect((await failureOf(prepare(command))).code).toBe('UNCERTAIN');
    expect(made(api)).toBe(1);
  });

  it('stops before the day’s last post is exceeded', async () => {
    const { api, prepare } = await newAccount();
    api.quota = 2;
    for (const text of ['one', 'two']) api.add({ text });
    const failure = await failureOf(prepare(commandFor({})));
    expect(failure).toMatchObject({ code: 'RATE_LIMITED', message: 'Instagram takes 2 posts a day from this account' });
    expect(failure.until?.getTime()).toBeGreaterThan(Date.now());
    expect(made(api)).toBe(0);
  });

  it.each([
    ['Error: Media upload has failed with error code 2207026', 'REFUSED'],
    ['Error: Media upload has failed with error code 2207053', 'UNAVAILABLE'],
    ['', 'UNAVAILABLE'],
  ])('fails with the media: %j is %s, and starts over if it is tried again', async (words, code) => {
    const { api, prepare, saved } = await newAccount();
    api.spoils = words;
    const failure = await failureOf(prepare(commandFor({})));
    expect(failure).toMatchObject({ code, message: expect.stringContaining('Instagram could not use the media') });
    api.spoils = undefined;
    await prepare({ ...commandFor({}), progress: saved.at(-1) });
    expect(made(api)).toBe(2);
  });

  const answers: [string, Answer, string][] = [
    ['a file that is too large', graphError(36000, 'too large', { sub: 2207004 }), 'REFUSED'],
    ['a shape that is not taken', graphError(36003, 'aspect ratio', { sub: 2207009 }), 'REFUSED'],
    ['a caption that is too long', graphError(36004, 'caption', { sub: 2207010 }), 'REFUSED'],
    ['a file that could not be fetched', graphError(9004, 'could not be fetched', { sub: 2207052 }), 'UNREACHABLE'],
    ['a file that was fetched too slowly', graphError(-2, 'took too long', { sub: 2207003 }), 'UNREACHABLE'],
    ['a restricted account', graphError(25, 'restricted', { sub: 2207050 }), 'AUTH_ERROR'],
  ];

  it.each(answers)('tells %s apart', async (_, answer, code) => {
    const { api, prepare } = await newAccount();
    api.refuse(answer, 'container');
    expect((await failureOf(prepare(commandFor({})))).code).toBe(code);
  });
});

describe('a call that goes wrong', () => {
  const answers: [string, Answer, string][] = [
    ['an expired token', graphError(190, 'expired', { sub: 463 }), 'AUTH_ERROR'],
    ['a missing permission', graphError(10, 'permission', { status: 403 }), 'AUTH_ERROR'],
    ['a restricted account', graphError(25, 'restricted', { sub: 2207050 }), 'AUTH_ERROR'],
    ['too many posts', graphError(9, 'maximum number', { sub: 2207042 }), 'RATE_LIMITED'],
    ['too many calls', graphError(4, 'limit', { status: 403 }), 'RATE_LIMITED'],
    ['too many calls of the account', graphError(80002, 'limit'), 'RATE_LIMITED'],
    ['what is taken for spam', graphError(4, 'restricted activity', { status: 403, sub: 2207051 }), 'REFUSED'],
    ['an invalid parameter', graphError(100, 'Invalid parameter'), 'REFUSED'],
    ['a server that failed', graphError(-1, 'server error', { sub: 2207001 }), 'UNCERTAIN'],
    ['a container that is not ready', graphError(9007, 'not available', { sub: 2207027 }), 'UNCERTAIN'],
    ['a container that is gone', graphError(24, 'does not exist', { sub: 2207008 }), 'UNCERTAIN'],
    ['an answer without an id', { status: 200, body: { success: true } }, 'UNCERTAIN'],
  ];

  it.each(answers)('with %s is classified', async (_, answer, code) => {
    const { api, publish } = await newAccount();
    api.refuse(answer, 'media_publish');
    expect((await failureOf(publish({}))).code).toBe(code);
  });
});

describe('looking back', () => {
  it.each([{}, { text: '' }, { mediaUrls: SEVERAL }, { mediaUrls: [VIDEO], link: 'https://a.example/' }])(
    'finds what was taken though the answer was lost: %j',
    async (given) => {
      const { api, tools, intend, find } = await newAccount();
      const command = await intend(given);
      expect(await find(command)).toBeUndefined();
      api.plan('drops after');
      expect((await failureOf(instagram.publish(command, tools))).code).toBe('UNCERTAIN');
      const [post] = api.posts;
      expect(await find(command)).toEqual({ postId: post?.id, url: `https://www.instagram.com/p/${post?.id}/` });
    },
  );

  it('is not fooled by the same caption, an hour before or now', async () => {
    const { api, intend, find } = await newAccount();
    const command = await intend({});
    api.add({ text: 'Fresh bread', at: new Date(Date.now() - 60 * MINUTE_MS) });
    api.add({ text: 'Fresh bread' });
    expect(await find(command)).toBeUndefined();
  });

  it('does not take an older post with the same caption for the one that was published', async () => {
    const { api, tools, intend, find } = await newAccount();
    api.add({ text: 'Fresh bread', at: new Date(Date.now() - 60 * MINUTE_MS) });
    const command = await intend({});
    api.plan('drops after');
    await failureOf(instagram.publish(command, tools));
    expect(await find(command)).toMatchObject({ postId: api.posts[1]?.id });
  });

  it('reads the list where the container is gone', async () => {
    const { api, intend, find } = await newAccount();
    const command = await intend({});
    api.containers.clear();
    expect(await find(command)).toBeUndefined();
    const { id } = api.add({ text: 'Fresh bread' });
    for (let post = 0; post < 120; post += 1) api.add({ text: `post ${post}` });
    expect(await find(command)).toMatchObject({ postId: id });
  });

  it('waits for what was published and is not listed yet, and takes the container’s id in the end', async () => {
    const { api, tools, clock, intend, find } = await newAccount();
    const command = await intend({});
    api.isListing = false;
    await instagram.publish(command, tools);
    expect((await failureOf(find(command))).code).toBe('UNAVAILABLE');
    const later = new Date(Date.now() + 11 * MINUTE_MS);
    clock.now = () => later;
    expect(await find(command)).toEqual({ postId: api.posts[0]?.containerId });
  });

  it('takes the same container when it is tried again, so that nothing is doubled', async () => {
    const { api, tools, intend, prepare, find } = await newAccount();
    const command = await intend({});
    api.plan('fails before');
    await failureOf(instagram.publish(command, tools));
    expect(await find(command)).toBeUndefined();
    const again = { ...command, progress: await prepare(command) };
    api.plan('drops after');
    await failureOf(instagram.publish(again, tools));
    expect((await failureOf(instagram.publish(again, tools))).code).toBe('UNCERTAIN');
    expect(api.posts).toHaveLength(1);
    expect(await find(again)).toMatchObject({ postId: api.posts[0]?.id });
  });
});

describe('credentials', () => {
  it('are those of an account', async () => {
    const { tools } = await newAccount();
    expect(await instagram.whose(credentials, tools)).toEqual({ id: INSTAGRAM_USER, name: 'acme.bakery' });
  });
});
