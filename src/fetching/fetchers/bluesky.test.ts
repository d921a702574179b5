import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { ALICE, BOB, FakeBluesky, postView } from '../../../test/platforms/fake-bluesky.js';
import { asking, fetcherTools, idsOf } from '../../../test/platforms/fetcher-tools.js';
import { bluesky } from './bluesky.js';

const store = testDatabase();

async function newAppView() {
  const appView = await new FakeBluesky().start();
  const tools = fetcherTools(store.database, { blueskyUrl: appView.url });
  return { appView, ...asking(bluesky, ALICE.handle, tools) };
}

describe('the posts of an account', () => {
  it('come newest first with text, author, link, time and numbers', async () => {
    const { appView, page } = await newAppView();
    appView.post();
    const { uri } = appView.post({ likeCount: 3, replyCount: 2, repostCount: 1 }, { text: 'Hello' });
    const { posts, source } = await page();
    expect(posts).toHaveLength(2);
    expect(posts[0]).toEqual({
      externalId: uri,
      url: 'https://bsky.app/profile/alice.example/post/3k1',
      content: '<p>Hello</p>',
      author: { username: 'alice.example', displayName: 'Alice', avatarUrl: ALICE.avatar },
      media: [],
      metrics: { likes: 3, comments: 2, shares: 1 },
      publishedAt: new Date('2024-05-06T07:08:09.123Z'),
    });
    expect(source).toEqual({ title: 'Alice', siteUrl: 'https://bsky.app/profile/alice.example' });
  });

  it('come with their links and pictures', async () => {
    const { appView, post } = await newAppView();
    const index = { byteStart: 3, byteEnd: 8 };
    const features = [{ $type: 'app.bsky.richtext.facet#link', uri: 'https://cats.example/' }];
    const images = [{ thumb: 'https://cdn.example/t@jpeg', fullsize: 'https://cdn.example/f@jpeg', alt: 'a cat' }];
    const embed = { $type: 'app.bsky.embed.images#view', images };
    appView.post({ embed }, { text: 'my <cats', facets: [{ index, features }] });
    expect(await post()).toMatchObject({
      content: '<p>my <a href="https://cats.example/">&lt;cats</a></p>',
      media: [{ url: 'https://cdn.example/f@jpeg', type: 'image/jpeg', alt: 'a cat' }],
    });
  });

  it('are asked for without replies and pins, and no more than the API gives', async () => {
    const { appView, page } = await newAppView();
    await page({ limit: 500, externalId: ALICE.did });
    const query = `actor=${encodeURIComponent(ALICE.did)}&limit=100&filter=posts_no_replies`;
    expect(appView.paths).toEqual([`/xrpc/app.bsky.feed.getAuthorFeed?${query}`]);
  });

  it('go on below a page of which nothing may be shown', async () => {
    const { appView, page } = await newAppView();
    const { uri } = appView.post();
    appView.post();
    appView.post();
    appView.hidden.add(1).add(2);
    const first = await page({ limit: 2 });
    expect(first).toMatchObject({ posts: [], nextCursor: expect.any(String) });
    expect(idsOf(await page({ limit: 2, cursor: first.nextCursor }))).toEqual([uri]);
  });

  it('end where a cursor leads to itself', async () => {
    const { appView, page } = await newAppView();
    appView.refuses = { status: 200, body: { feed: [], cursor: 'again' } };
    expect((await page({ cursor: 'again' })).nextCursor).toBeUndefined();
  });

  it('may be none', async () => {
    const { page } = await newAppView();
    expect(await page()).toMatchObject({ posts: [], nextCursor: undefined, source: undefined });
  });

  it('are not moved about by a pinned one', async () => {
    const { appView, page } = await newAppView();
    const { uri } = appView.post();
    appView.add({ post: postView('old'), reason: { $type: 'app.bsky.feed.defs#reasonPin' } });
    expect(idsOf(await page())).toEqual([uri]);
  });
});

describe('the time of a post', () => {
  it.each([
    ['is when its author says', '2024-01-01T00:00:00Z', '2024-02-01T00:00:00Z', '2024-01-01T00:00:00Z'],
    ['is not after it was first seen', '2999-01-01T00:00:00Z', '2024-02-01T00:00:00Z', '2024-02-01T00:00:00Z'],
    [
      'is when it was first seen, if the author’s cannot be read',
      'yore',
      '2024-02-01T00:00:00Z',
      '2024-02-01T00:00:00Z',
    ],
    ['is when it was first seen, if the author’s is no text', 12, '2024-02-01T00:00:00Z', '2024-02-01T00:00:00Z'],
  ])('%s', async (_, createdAt, indexedAt, expected) => {
    const { appView, post } = await newAppView();
    appView.post({ indexedAt }, { createdAt });
    expect((await post())?.publishedAt).toEqual(new Date(expected));
  });
});

describe('a repost', () => {
  const bobs = postView('77', { uri: `at://${BOB.did}/app.bsky.feed.post/77`, author: BOB, likeCount: 9 });

  it('is shown as what was reposted, with an id and a time of its own', async () => {
    const { appView, page } = await newAppView();
    appView.repost(bobs, { uri: `at://${ALICE.did}/app.bsky.feed.repost/88` });
    const { posts, source } = await page();
    expect(posts[0]).toMatchObject({
      externalId: `at://${ALICE.did}/app.bsky.feed.repost/88`,
      url: 'https://bsky.app/profile/bob.example/post/77',
      title: 'Reposted @bob.example',
      content: '<p>post 77</p>',
      author: { username: 'bob.example', displayName: 'bob.example' },
      metrics: { likes: 9 },
      publishedAt: new Date('2024-07-01T00:00:00Z'),
    });
    expect(source?.title).toBe('Alice');
  });

  it('of a post of one’s own is another post', async () => {
    const { appView, page } = await newAppView();
    const own = appView.post();
    appView.repost(own);
    expect(idsOf(await page())).toEqual([`${own.uri}#repost-${ALICE.did}`, own.uri]);
  });
});

describe('people who want to be seen by signed-in people only', () => {
  const labels = [{ val: '!no-unauthenticated', src: ALICE.did }];

  it('are not shown', async () => {
    const { appView, ask } = await newAppView();
    appView.post({ author: { ...ALICE, labels } });
    await expect(ask()).rejects.toMatchObject({ name: 'FetchFailure', code: 'PRIVATE_PROFILE' });
  });

  it('are left out of what others repost', async () => {
    const { appView, page } = await newAppView();
    const own = appView.post();
    appView.repost(postView('77', { author: { ...BOB, labels } }));
    expect(idsOf(await page())).toEqual([own.uri]);
  });
});

describe('text that no database takes', () => {
  it('is cleaned before it becomes a title or a reason', async () => {
    const { appView, ask, page } = await newAppView();
    appView.post({ author: { ...ALICE, displayName: 'A\u0000lice \ud800' } });
    expect((await page()).source?.title).toBe('Alice \ufffd');
    appView.refuses = { status: 400, body: { error: 'Odd', message: 'no\u0000pe' } };
    await expect(ask()).rejects.toThrow(/answered 400: nope$/);
  });
});

describe('an AppView that refuses', () => {
  it.each([
    [400, { error: 'InvalidRequest', message: 'Profile not found' }, 'NOT_FOUND'],
    [400, { error: 'InvalidRequest', message: 'Error: actor must be a valid did or a handle' }, 'INVALID_COMMAND'],
    [400, { error: 'AccountTakedown', message: 'Account has been suspended' }, 'PRIVATE_PROFILE'],
    [400, { error: 'AccountDeactivated', message: 'Account is deactivated' }, 'PRIVATE_PROFILE'],
    [400, { error: 'BlockedByActor' }, 'PRIVATE_PROFILE'],
    [400, { error: 'SomethingNew' }, 'UNKNOWN_ERROR'],
  ])('with %i %o means %s', async (status, body, code) => {
    const { appView, ask } = await newAppView();
    appView.refuses = { status, body };
    await expect(ask()).rejects.toMatchObject({ name: 'FetchFailure', code });
  });

  it('says until when it has had enough', async () => {
    const { appView, ask } = await newAppView();
    appView.refuses = { status: 429, body: { error: 'RateLimitExceeded' } };
    await expect(ask()).rejects.toMatchObject({ until: new Date('2030-01-01T00:05:00Z') });
  });

  it('sets no time for anything but its limit', async () => {
    const { ask } = await newAppView();
    await expect(ask({ externalId: 'nobody.example' })).rejects.toMatchObject({ code: 'NOT_FOUND', until: undefined });
  });
});

describe('an answer that is not what the API says', () => {
  it('may leave out or leave empty what is not needed', async () => {
    const { appView, post } = await newAppView();
    const author = { did: ALICE.did, handle: ALICE.handle, displayName: null, avatar: 7, labels: [{}] };
    const bare = { ...postView('1', { author }), likeCount: null, embed: null };
    appView.refuses = { status: 200, body: { feed: [{ post: bare, reason: null }], cursor: null } };
    expect(await post()).toMatchObject({ author: { username: ALICE.handle, displayName: ALICE.handle } });
  });

  it('does no harm where little depends on it', async () => {
    const { appView, post } = await newAppView();
    const counts = { likeCount: 1e300, replyCount: -4, repostCount: 'many' };
    const author = { ...ALICE, handle: 'handle.invalid', displayName: ' ', avatar: 'javascript:alert(1)' };
    appView.post({ ...counts, author, indexedAt: 'now' }, { text: 7, createdAt: null, facets: 'none' });
    expect(await post()).toMatchObject({
      url: `https://bsky.app/profile/${ALICE.did}/post/3k0`,
      content: '',
      author: { displayName: 'handle.invalid', avatarUrl: undefined },
      metrics: { likes: undefined, comments: undefined, shares: undefined },
      publishedAt: undefined,
    });
  });
});

describe('an account that is followed by its handle', () => {
  const asked = (path: string | undefined) => new URL(path ?? '', 'https://appview.example').searchParams.get('actor');

  it('is asked for by its DID once that is known, on further pages, too', async () => {
    const { appView, ask, page } = await newAppView();
    for (let posts = 0; posts < 3; posts++) appView.post();
    const { validators = {}, nextCursor, lastingId } = await page({ limit: 2 });
    expect(validators.memo).toBe(ALICE.did);
    expect(lastingId).toBeUndefined();
    expect(await ask({ limit: 2, validators })).toMatchObject({ unchanged: true, validators: { memo: ALICE.did } });
    await page({ limit: 2, cursor: nextCursor });
    expect(appView.paths.map(asked)).toEqual([ALICE.handle, ALICE.did, ALICE.did]);
  });

  it('is the same account when it takes another handle, and is known by its DID then', async () => {
    const { appView, page } = await newAppView();
    appView.post({ author: { ...ALICE, handle: 'alice.elsewhere.example' } });
    const validators = { memo: ALICE.did };
    expect(await page({ validators })).toMatchObject({ lastingId: ALICE.did, posts: [{}] });
  });

  it('keeps its handle while that cannot be verified', async () => {
    const { appView, page } = await newAppView();
    appView.post({ author: { ...ALICE, handle: 'handle.invalid' } });
    expect((await page({ validators: { memo: ALICE.did } })).lastingId).toBeUndefined();
  });

  it('is not confused with other authors in its feed', async () => {
    const { appView, page } = await newAppView();
    appView.post({ author: BOB });
    const { validators, lastingId } = await page();
    expect([validators?.memo, lastingId]).toEqual([undefined, undefined]);
  });
});
