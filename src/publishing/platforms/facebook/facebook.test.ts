import { describe, expect, it, onTestFinished } from 'vitest';
import { testDatabase } from '../../../../test/harness/database.js';
import {
  FACEBOOK_PAGE,
  FACEBOOK_TOKEN,
  FakeFacebookPublishing,
} from '../../../../test/platforms/fake-facebook-publishing.js';
import { graphError, usageHeaders } from '../../../../test/platforms/fake-graph-api.js';
import type { Answer } from '../../../../test/platforms/faulty-api.js';
import { content, failureOf, publishingTools, wordsOf } from '../../../../test/platforms/publishing-tools.js';
import type { Content, PublishCommand } from '../../platform.js';
import { facebook } from './facebook.js';

const store = testDatabase();
const KEY = '0123456789abcdef0123456789abcdef';
const credentials = { pageId: FACEBOOK_PAGE, accessToken: FACEBOOK_TOKEN };
const MINUTE_MS = 60_000;
const PHOTOS = ['https://files.example/a.jpg', 'https://files.example/b.png'];

async function newPage() {
  const api = await FakeFacebookPublishing.startApart();
  onTestFinished(() => api.close());
  const tools = publishingTools(store.database, { config: { facebookUrl: api.url } });
  const saved: unknown[] = [];
  const save = async (progress: unknown) => {
    saved.push(structuredClone(progress));
  };
  const prepare = (command: PublishCommand) => facebook.prepare?.(command, tools, save);
  /** Publishes as the engine does: it prepares, stores the intent and makes the call. */
  const publish = async (given: Partial<Content>, intendedAt = new Date()) => {
    const command = commandFor(given);
    const progress = await prepare(command);
    return facebook.publish({ ...command, progress, intendedAt }, tools);
  };
  const find = (given: Partial<PublishCommand>) => facebook.find?.({ ...commandFor({}), ...given }, tools);
  return { api, tools, saved, prepare, publish, find };
}

const commandFor = (given: Partial<Content>): PublishCommand => ({
  content: content(given),
  credentials,
  key: KEY,
  intendedAt: undefined,
  progress: undefined,
});

const ago = (ms: number) => new Date(Date.now() - ms);
const textAndLink = { text: 'Read this', link: 'https://news.example/story' };

describe('a post', () => {
  it('has a text', async () => {
    const { api, publish } = await newPage();
    const { postId, url } = await publish({ text: 'Bread & butter – 🥖\nnew line' });
    expect(api.posts).toMatchObject([
      { id: postId, text: 'Bread & butter – 🥖\nnew line', link: undefined, photos: [] },
    ]);
    expect(url).toBe(`https://www.facebook.com/${postId}`);
  });

  it('has a link', async () => {
    const { api, publish } = await newPage();
    await publish(textAndLink);
    expect(api.posts).toMatchObject([textAndLink]);
  });

  it('has photos in their order, which nobody sees before', async () => {
    const { api, prepare, publish } = await newPage();
    await prepare(commandFor({ mediaUrls: PHOTOS }));
    expect(api.posts).toEqual([]);
    const { postId } = await publish({ text: 'Look', mediaUrls: [...PHOTOS, PHOTOS[0] ?? ''] });
    const [post] = api.posts;
    expect(post).toMatchObject({ id: postId, text: 'Look' });
    expect(post?.photos.map((id) => api.photos.get(id)?.url)).toEqual([...PHOTOS, PHOTOS[0]]);
  });

  it('has its link in the text beside photos', async () => {
    const { api, publish } = await newPage();
    await publish({ ...textAndLink, mediaUrls: PHOTOS });
    expect(api.posts).toMatchObject([{ text: 'Read this\n\nhttps://news.example/story', link: undefined }]);
  });

  it('asks for the version that it knows, unless another is configured', async () => {
    const { api, tools } = await newPage();
    const config = { ...tools.config, facebookUrl: `${api.url}v99.0` };
    await facebook.whose(credentials, tools);
    await facebook.whose(credentials, { ...tools, config });
    expect(api.calls).toEqual(['GET /v25.0/me (node)', 'GET /v99.0/me (node)']);
  });

  it('tells that the page has used up its calls, and when it may go on', async () => {
    const { api, publish } = await newPage();
    api.usage = { [FACEBOOK_PAGE]: [{ type: 'pages', call_count: 100, estimated_time_to_regain_access: 7 }] };
    const { announced } = await publish({ text: 'the last one' });
    expect(announced?.remaining).toBe(0);
    expect((announced?.until.getTime() ?? 0) / MINUTE_MS).toBeCloseTo(Date.now() / MINUTE_MS + 7, 0);
  });

  it('puts the token into no address, where the API would refuse it', async () => {
    const { api, publish, find } = await newPage();
    await publish({ text: 'Look', mediaUrls: PHOTOS });
    expect(await find({ content: content({ text: 'x' }), intendedAt: new Date() })).toBeUndefined();
    expect(api.posts).toHaveLength(1);
  });
});

describe('preparing', () => {
  it('goes on after the photos that an earlier try has uploaded', async () => {
    const { api, prepare, saved } = await newPage();
    api.plan('drops after', 'photos');
    const command = commandFor({ mediaUrls: PHOTOS });
    await failureOf(Promise.resolve(prepare(command)));
    await prepare(command);
    const uploads = () => api.calls.filter((call) => call.includes('photos')).length;
    expect(uploads()).toBe(3);
    const [afterFirst] = saved;
    const again = await prepare({ ...command, progress: afterFirst });
    expect(uploads()).toBe(4);
    expect(again).toMatchObject({ photos: [{ url: PHOTOS[0], id: expect.any(String) }, { url: PHOTOS[1] }] });
    expect(await prepare({ ...command, progress: again })).toEqual(again);
    expect(uploads()).toBe(4);
    expect(api.posts).toEqual([]);
  });

  it('uploads another photo where the content was changed', async () => {
    const { prepare } = await newPage();
    const progress = await prepare(commandFor({ mediaUrls: PHOTOS }));
    const changed = [PHOTOS[0] ?? '', 'https://files.example/c.jpg'];
    const again = (await prepare({ ...commandFor({ mediaUrls: changed }), progress })) as { photos: { url: string }[] };
    expect(again.photos.map(({ url }) => url)).toEqual(changed);
  });
});

describe('a call that goes wrong', () => {
  const answers: [string, Answer, string][] = [
    ['an expired token', graphError(190, 'expired', { status: 401, sub: 463 }), 'AUTH_ERROR'],
    ['a missing permission', graphError(200, 'no permission', { status: 403 }), 'AUTH_ERROR'],
    ['a permission that was taken back', graphError(10, 'permission denied', { status: 403 }), 'AUTH_ERROR'],
    ['a page that the token may not see', graphError(100, 'does not exist', { sub: 33 }), 'AUTH_ERROR'],
    ['a security check', graphError(368, 'confirm', { sub: 4854002 }), 'AUTH_ERROR'],
    ['too many calls of the application', graphError(4, 'limit', { status: 403 }), 'RATE_LIMITED'],
    ['too many calls of the user', graphError(17, 'limit'), 'RATE_LIMITED'],
    ['too many calls of the page', graphError(32, 'limit', { status: 403 }), 'RATE_LIMITED'],
    ['too many calls of this kind', graphError(613, 'limit'), 'RATE_LIMITED'],
    ['too many calls of the business', graphError(80001, 'limit'), 'RATE_LIMITED'],
    ['a block for a while', graphError(368, 'blocked', { sub: 1390008 }), 'RATE_LIMITED'],
    ['content that is deemed abusive', graphError(368, 'abusive', { sub: 1346003 }), 'REFUSED'],
    ['an invalid parameter', graphError(100, 'Invalid parameter'), 'REFUSED'],
    ['a repetition of another post', graphError(506, 'Duplicate status message'), 'REFUSED'],
    ['a link that cannot be read', graphError(1609005, 'Error posting link'), 'REFUSED'],
    ['an unknown error', graphError(1, 'An unknown error occurred', { status: 500 }), 'UNCERTAIN'],
    ['a passing error', graphError(2, 'Service temporarily unavailable'), 'UNCERTAIN'],
    ['an answer without a word', { status: 200, body: {} }, 'UNCERTAIN'],
    ['another answer than JSON', { status: 400, body: '<html>' }, 'REFUSED'],
    ['errors that are none', { status: 502, body: { error: { code: 'x', message: 7 } } }, 'UNCERTAIN'],
    ['a redirect', { status: 302, headers: { Location: '/v25.0/me' } }, 'UNCERTAIN'],
  ];

  it.each(answers)('with %s is classified', async (_, answer, code) => {
    const { api, publish } = await newPage();
    api.refuse(answer, 'feed');
    expect((await failureOf(publish({ text: 'hello' }))).code).toBe(code);
  });

  it('says when a limit ends', async () => {
    const { api, publish } = await newPage();
    const usage = { 1: [{ estimated_time_to_regain_access: 0 }], 2: [{ estimated_time_to_regain_access: 12 }] };
    api.refuse({ ...graphError(80001, 'too many calls'), headers: usageHeaders(usage) });
    const { until } = await failureOf(publish({ text: 'hello' }));
    expect((until?.getTime() ?? 0) / MINUTE_MS).toBeCloseTo(Date.now() / MINUTE_MS + 12, 0);
  });

  it('repeats what Facebook says to people, without the token', async () => {
    const { api, publish } = await newPage();
    const words = `Your post "${FACEBOOK_TOKEN}" goes\u0000 against ${encodeURIComponent(FACEBOOK_TOKEN)}`;
    api.refuse(graphError(100, 'Invalid parameter', { words }), 'feed');
    const failure = await failureOf(publish({ text: 'hello' }));
    expect(failure.message).toMatch(/^Facebook answered 400: Your post ".*" goes/);
    expect(wordsOf(failure)).not.toContain(FACEBOOK_TOKEN);
    expect(wordsOf(failure)).not.toContain(encodeURIComponent(FACEBOOK_TOKEN));
  });
});

describe('looking back', () => {
  it.each([
    { text: 'Only words' },
    textAndLink,
    { text: '', link: 'https://news.example/story' },
    { text: 'Look', mediaUrls: PHOTOS },
    { text: '', mediaUrls: PHOTOS.slice(0, 1) },
  ])('finds what was taken though the answer was lost: %j', async (given) => {
    const { api, prepare, tools, find } = await newPage();
    const command = commandFor(given);
    const intended = { ...command, progress: await prepare(command), intendedAt: new Date() };
    expect(await find(intended)).toBeUndefined();
    api.plan('drops after');
    expect((await failureOf(facebook.publish(intended, tools))).code).toBe('UNCERTAIN');
    expect(await find(intended)).toMatchObject({
      postId: api.posts[0]?.id,
      url: expect.stringContaining('facebook.com'),
    });
  });

  it('is not fooled by the same text an hour before, nor by another text now', async () => {
    const { api, find } = await newPage();
    api.add({ text: 'Good morning', at: ago(60 * MINUTE_MS) });
    api.add({ text: 'Good evening' });
    expect(await find({ content: content({ text: 'Good morning' }), intendedAt: new Date() })).toBeUndefined();
  });

  it('is not fooled by the same text with other photos', async () => {
    const { api, prepare, find } = await newPage();
    api.add({ text: 'Look', photos: ['1', '2'] });
    const command = commandFor({ text: 'Look', mediaUrls: PHOTOS });
    const progress = await prepare(command);
    expect(await find({ ...command, progress, intendedAt: new Date() })).toBeUndefined();
    const wordsOnly = { content: content({ text: 'Look' }), intendedAt: new Date() };
    expect(await find(wordsOnly)).toBeUndefined();
  });

  it('takes of two alike the one that is closer in time', async () => {
    const { api, find } = await newPage();
    const intendedAt = ago(20 * MINUTE_MS);
    const { id } = api.add({ text: 'Again', at: ago(19 * MINUTE_MS) });
    api.add({ text: 'Again', at: ago(5 * MINUTE_MS) });
    expect(await find({ content: content({ text: 'Again' }), intendedAt })).toMatchObject({ postId: id });
  });

  it('allows for clocks that differ, and for spaces that Facebook changes', async () => {
    const { api, find } = await newPage();
    const { id } = api.add({ text: 'Cafe\u0301 and  bread', at: ago(MINUTE_MS) });
    const given = { content: content({ text: ' Café and\r\nbread ' }), intendedAt: new Date() };
    expect(await find(given)).toMatchObject({ postId: id });
  });

  it('leaves it to a person where only the link differs', async () => {
    const { api, find } = await newPage();
    api.canonical = () => 'https://news.example/canonical';
    api.add(textAndLink);
    const failure = await failureOf(Promise.resolve(find({ content: content(textAndLink), intendedAt: ago(1000) })));
    expect(failure.code).toBe('UNCERTAIN');
    expect(failure.message).toContain('another link');
  });

  it('reads as many pages as there are posts since then', async () => {
    const { api, find } = await newPage();
    const intendedAt = ago(30 * MINUTE_MS);
    const { id } = api.add({ text: 'the one', at: intendedAt });
    for (let post = 0; post < 250; post += 1) api.add({ text: `post ${post}`, at: ago(29 * MINUTE_MS - post) });
    expect(await find({ content: content({ text: 'the one' }), intendedAt })).toMatchObject({ postId: id });
  });

  it.each(['https://graph.facebook.com/1/published_posts?after=x', 'nowhere'])(
    'does not say that nothing is there where a list has no end: %s',
    async (next) => {
      const { api, find } = await newPage();
      const post = { id: '1_2', message: 'another', created_time: '2100-01-01T00:00:00+0000' };
      api.refuse({ status: 200, body: { data: [post], paging: { next } } }, 'published_posts');
      const failure = await failureOf(
        Promise.resolve(find({ content: content({ text: 'x' }), intendedAt: new Date() })),
      );
      expect(failure.code).toBe('UNAVAILABLE');
    },
  );

  it('recognises an earlier try of its own where Facebook refuses a repetition', async () => {
    const { api, publish } = await newPage();
    const intendedAt = ago(MINUTE_MS);
    api.plan('drops after');
    await failureOf(publish({ text: 'hello' }, intendedAt));
    expect(await publish({ text: 'hello' }, intendedAt)).toMatchObject({ postId: api.posts[0]?.id });
    expect(api.posts).toHaveLength(1);
  });

  it('does not know what a later try repeats where nothing is found', async () => {
    const { api, publish } = await newPage();
    api.add({ text: 'hello', at: ago(60 * MINUTE_MS) });
    expect((await failureOf(publish({ text: 'hello' }, ago(MINUTE_MS)))).code).toBe('UNCERTAIN');
    expect((await failureOf(publish({ text: 'hello' }))).code).toBe('REFUSED');
  });
});

describe('credentials', () => {
  it('are those of a page', async () => {
    const { tools } = await newPage();
    expect(await facebook.whose(credentials, tools)).toEqual({ id: FACEBOOK_PAGE, name: 'Acme Bakery' });
  });

  it('do not work with the token of somebody else', async () => {
    const { tools } = await newPage();
    const failure = await failureOf(facebook.whose({ ...credentials, pageId: '42' }, tools));
    expect(failure).toMatchObject({ code: 'AUTH_ERROR', message: expect.stringContaining('Acme Bakery') });
  });
});
