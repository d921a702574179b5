import { describe, expect, it, onTestFinished } from 'vitest';
import { testDatabase } from '../../../../test/harness/database.js';
import { FakeMastodonPublishing, MASTODON_TOKEN } from '../../../../test/platforms/fake-mastodon-publishing.js';
import type { Json } from '../../../../test/platforms/faulty-api.js';
import { content, failureOf, publishingTools, wordsOf } from '../../../../test/platforms/publishing-tools.js';
import type { Content, MediaFile, PublishCommand } from '../../platform.js';
import { mastodon } from './mastodon.js';

const store = testDatabase();
const KEY = 'a1'.repeat(16);
const CAT: MediaFile = { bytes: Buffer.from('cat\r\n--cat'), type: 'image/png', name: 'cat "1".png' };
const FILM: MediaFile = { bytes: Buffer.from('film'), type: 'video/mp4', name: 'film.mp4' };
const media = {
  'https://files.example/cat.png': CAT,
  'https://files.example/dog.png': { ...CAT, bytes: Buffer.from('dog') },
  'https://files.example/film.mp4': FILM,
  'https://files.example/page.html': { ...CAT, type: 'text/html', name: 'page.html' },
  'https://files.example/huge.png': { ...CAT, bytes: new Uint8Array(16 * 1024 ** 2 + 3), name: 'huge.png' },
};
const [CAT_URL, DOG_URL, FILM_URL, PAGE_URL, HUGE_URL] = Object.keys(media) as [string, string, string, string, string];

async function newInstance() {
  const instance = await FakeMastodonPublishing.startApart();
  onTestFinished(() => instance.close());
  const tools = publishingTools(store.database, { media });
  const credentials = mastodon.credentials.parse({ baseUrl: instance.url, accessToken: MASTODON_TOKEN });
  const commandFor = (given: Partial<Content>, fields: Partial<PublishCommand> = {}): PublishCommand => {
    return { content: content(given), credentials, key: KEY, intendedAt: new Date(), progress: undefined, ...fields };
  };
  const saved: unknown[] = [];
  const prepare = (command: PublishCommand) =>
    mastodon.prepare?.(command, tools, async (progress) => {
      saved.push(progress);
    });
  const publish = async (command: PublishCommand) =>
    mastodon.publish({ ...command, progress: await prepare(command) }, tools);
  const find = (command: PublishCommand) => mastodon.find?.(command, tools);
  return { instance, tools, credentials, commandFor, saved, prepare, publish, find };
}

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);

describe('a status', () => {
  it('shows its text and link, and is known by id and address', async () => {
    const { instance, publish, commandFor } = await newInstance();
    const published = await publish(commandFor({ text: 'Hello ', link: 'https://example.org/a' }));
    const [post] = instance.posts;
    expect(post).toMatchObject({ text: 'Hello\n\nhttps://example.org/a', key: KEY });
    expect(published).toMatchObject({ postId: post?.id, url: `${instance.url}@alice/${post?.id}` });
  });

  it('tells how many more the instance takes, and until when', async () => {
    const { publish, commandFor } = await newInstance();
    const { announced } = await publish(commandFor({ text: 'Hello' }));
    expect(announced).toEqual({ remaining: 299, until: expect.any(Date) });
    expect(announced?.until.getTime()).toBeGreaterThan(Date.now());
  });

  it('names a link once', async () => {
    const { instance, publish, commandFor } = await newInstance();
    await publish(commandFor({ text: 'See https://example.org/a !', link: 'https://example.org/a' }));
    expect(instance.posts[0]?.text).toBe('See https://example.org/a !');
  });

  it('shows its files in order', async () => {
    const { instance, publish, commandFor } = await newInstance();
    await publish(commandFor({ text: 'Two', mediaUrls: [CAT_URL, DOG_URL] }));
    expect(instance.uploads.map(({ bytes }) => bytes.toString())).toEqual(['cat\r\n--cat', 'dog']);
    expect(instance.posts[0]?.media).toEqual(instance.uploads.map(({ id }) => id));
  });

  it('waits for a video to be ready', async () => {
    const { instance, publish, commandFor } = await newInstance();
    instance.processing = 3;
    await publish(commandFor({ text: 'A film', mediaUrls: [FILM_URL] }));
    expect(instance.posts).toHaveLength(1);
  });
});

describe('the files of a status', () => {
  it('are not uploaded again after a crash', async () => {
    const { instance, prepare, publish, saved, commandFor } = await newInstance();
    const command = commandFor({ mediaUrls: [CAT_URL, DOG_URL] });
    instance.plan('drops before', 'upload');
    await prepare({ ...command, content: content({ mediaUrls: [CAT_URL] }) })?.catch(() => undefined);
    await prepare({ ...command, content: content({ mediaUrls: [CAT_URL] }) });
    const progress = saved.at(-1);
    await publish({ ...command, progress });
    expect(instance.calls.filter((call) => call.endsWith('(upload)'))).toHaveLength(3);
    expect(instance.posts[0]?.media).toHaveLength(2);
  });

  it('are uploaded again if the instance has removed them', async () => {
    const { instance, prepare, publish, commandFor } = await newInstance();
    const command = commandFor({ mediaUrls: [CAT_URL] });
    const progress = await prepare(command);
    instance.removeUploads();
    await publish({ ...command, progress });
    expect(instance.posts[0]?.media).toEqual(instance.uploads.map(({ id }) => id));
  });

  it.each([
    ['of another kind', [PAGE_URL], 'page.html is text/html'],
    ['that are too large', [HUGE_URL], 'has 16777219, 3 more'],
    ['of which one is a video', [CAT_URL, FILM_URL], 'only alone; film.mp4'],
    ['that are missing', ['https://files.example/none'], 'no such file'],
  ])('%s are refused', async (_, mediaUrls, words) => {
    const { instance, prepare, commandFor } = await newInstance();
    const failure = await failureOf(Promise.resolve(prepare(commandFor({ mediaUrls }))));
    expect(failure).toMatchObject({ code: 'REFUSED', message: expect.stringContaining(words) });
    expect(instance.posts).toEqual([]);
  });
});

describe('an instance that fails', () => {
  it('says until when an account has posted enough', async () => {
    const { instance, publish, commandFor } = await newInstance();
    instance.most = 0;
    const failure = await failureOf(publish(commandFor({ text: 'Hello' })));
    expect(failure.code).toBe('RATE_LIMITED');
    expect(failure.until?.getTime()).toBeGreaterThan(Date.now());
  });

  it('by redirecting is not followed, and leaves it open', async () => {
    const { instance, publish, tools, credentials, commandFor } = await newInstance();
    const headers = { Location: 'https://elsewhere.example/' };
    instance.refuse({ status: 307, headers });
    const failure = await failureOf(publish(commandFor({ text: 'Hello' })));
    expect(failure).toMatchObject({ code: 'UNCERTAIN', message: expect.stringContaining('redirects; give') });
    expect(await mastodon.whose(credentials, tools)).toBeDefined();
  });
});

describe('looking back', () => {
  it('knows a post by its words, whatever signs they hold', async () => {
    const { instance, publish, find, commandFor } = await newInstance();
    const text =
      'Tom & "Jerry" <3 \'it\'\n\nwith @bob@other.example and @carol &amp; #tag\nhttps://example.org/a-long/path?x=1&y=2#there';
    const command = commandFor({ text, link: 'https://example.com/', mediaUrls: [CAT_URL] });
    instance.add({ text: `${text}\n\nhttps://example.com/` });
    instance.add({ text, media: ['1'] });
    const { postId } = await publish(command);
    instance.add({ text: 'something else' });
    expect(await find(command)).toEqual({ postId, url: `${instance.url}@alice/${postId}` });
  });

  it('takes the post since then rather than the one just before', async () => {
    const { instance, publish, find, commandFor } = await newInstance();
    instance.add({ text: 'Good morning', at: ago(2) });
    const command = commandFor({ text: 'Good morning' });
    const { postId } = await publish(command);
    expect((await find(command))?.postId).toBe(postId);
  });

  it('allows the clocks to differ by some minutes', async () => {
    const { instance, publish, find, commandFor } = await newInstance();
    instance.now = () => ago(3);
    const command = commandFor({ text: 'Good morning' });
    const { postId } = await publish(command);
    expect((await find(command))?.postId).toBe(postId);
  });

  it('reads as many pages as it takes, and no more', async () => {
    const { instance, find, commandFor } = await newInstance();
    for (let post = 0; post < 100; post += 1) instance.add({ text: `old ${post}`, at: ago(120) });
    const { id } = instance.add({ text: 'Mine', at: ago(59) });
    for (let post = 0; post < 90; post += 1)
      instance.add({ text: `new ${post}`, at: ago(1), isReblog: post % 9 === 0 });
    expect((await find(commandFor({ text: 'Mine' }, { intendedAt: ago(60) })))?.postId).toBe(id);
    expect(instance.calls.filter((call) => call.endsWith('(list)'))).toHaveLength(3);
  });

  it('fails rather than to say that nothing is there where there is too much to read', async () => {
    const { instance, find, commandFor } = await newInstance();
    for (let post = 0; post < 1_001; post += 1) instance.add({ text: `new ${post}`, at: ago(1) });
    const failure = await failureOf(Promise.resolve(find(commandFor({ text: 'Mine' }))));
    expect(failure.code).toBe('UNAVAILABLE');
  });

  it.each([
    ['leaves out all that is not needed', ({ id, content, created_at }: Json) => ({ id, content, created_at })],
    ['leaves out the time', ({ created_at: _, ...rest }: Json) => rest],
    ['counts in numbers', ({ id, ...rest }: Json) => ({ ...rest, id: Number(id) })],
  ])('reads a compatible server that %s', async (_, writes) => {
    const { instance, publish, find, commandFor } = await newInstance();
    instance.writes = writes;
    const command = commandFor({ text: 'There' });
    const { postId } = await publish(command);
    expect((await find(command))?.postId).toBe(postId);
  });

  describe('at a server that shows other words', () => {
    const loud = ({ content, ...rest }: Json) => ({ ...rest, content: String(content).toUpperCase() });
    const newLoud = async () => {
      const world = await newInstance();
      world.instance.writes = loud;
      return world;
    };

    it('leaves a post from the time of the call to a person', async () => {
      const { instance, publish, find, commandFor } = await newLoud();
      const command = commandFor({ text: 'Mine' });
      await publish(command);
      const failure = await failureOf(Promise.resolve(find(command)));
      expect(failure).toMatchObject({
        code: 'UNCERTAIN',
        message: expect.stringContaining(`${instance.posts[0]?.id}`),
      });
    });

    it.each([
      ['is another publication', () => ({}), (id: string) => ({ others: new Set([id]) })],
      ['is from before the call', () => ({ at: ago(2) }), () => ({})],
      ['is from after the last call', () => ({ at: ago(-2) }), () => ({ calledUntil: new Date() })],
      ['has a file', () => ({ media: ['1'] }), () => ({})],
      ['is a boost', () => ({ isReblog: true }), () => ({})],
    ])('takes no post for this one that %s', async (_, post, more) => {
      const { instance, find, commandFor } = await newLoud();
      const { id } = instance.add({ text: 'another', ...post() });
      expect(await find(commandFor({ text: 'Mine' }, more(id)))).toBeUndefined();
    });

    it('takes no answer of the user for this one', async () => {
      const { instance, find, commandFor } = await newInstance();
      instance.writes = (status) => ({ ...status, in_reply_to_id: '7' });
      instance.add({ text: 'I agree' });
      expect(await find(commandFor({ text: 'Mine' }))).toBeUndefined();
    });
  });

  it('takes no post for this one that another publication explains whose end is not known', async () => {
    const { instance, find, commandFor } = await newInstance();
    instance.add({ text: 'another' });
    expect(await find(commandFor({ text: 'Mine' }, { pending: [content({ text: 'another' })] }))).toBeUndefined();
  });
});

describe('credentials', () => {
  it('tell whose they are', async () => {
    const { tools, credentials, instance } = await newInstance();
    const { host } = new URL(instance.url);
    expect(await mastodon.whose(credentials, tools)).toEqual({ id: expect.any(String), name: `@alice@${host}` });
  });

  it('that do not work are found out, and not told', async () => {
    const { tools, instance } = await newInstance();
    const credentials = { baseUrl: instance.url, accessToken: 'wrong-token' };
    const failure = await failureOf(mastodon.whose(credentials, tools));
    expect(failure).toMatchObject({
      code: 'AUTH_ERROR',
      message: expect.stringContaining('token (hidden) is invalid'),
    });
    expect(wordsOf(failure)).not.toContain('wrong-token');
  });
});

describe('what Mastodon takes', () => {
  const problemsOf = (given: Partial<Content>, more = {}) =>
    mastodon.check(content(given), { baseUrl: 'https://mastodon.example/', accessToken: 'x', ...more });

  it('is what the instance takes if the account says so', () => {
    expect(problemsOf({ text: 'x'.repeat(5_000) }, { maxCharacters: 5_000 })).toEqual([]);
  });

  it('includes the link, which counts 23', () => {
    const link = `https://example.org/${'a'.repeat(400)}`;
    expect(problemsOf({ text: 'x'.repeat(475), link })).toEqual([]);
    const message = 'text and link are 501 characters, 1 more than Mastodon takes';
    expect(problemsOf({ text: 'x'.repeat(476), link })).toEqual([{ path: 'text', message }]);
  });

  it('is no post without anything in it', () => {
    expect(problemsOf({ text: ' \n ' })).toMatchObject([{ path: 'text' }]);
    expect(problemsOf({ text: '', mediaUrls: ['https://files.example/cat.png'] })).toEqual([]);
  });

  it('is four files', () => {
    const mediaUrls = Array.from({ length: 6 }, (_, at) => `https://files.example/${at}`);
    const message = '6 files are 2 more than Mastodon takes';
    expect(problemsOf({ text: 'x', mediaUrls })).toEqual([{ path: 'mediaUrls', message }]);
  });
});
