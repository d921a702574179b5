import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { outgoingClient } from '../../../test/harness/outgoing.js';
import { account, FakeMastodon, mastodonStatus } from '../../../test/platforms/fake-mastodon.js';
import { asking, fetcherTools, idsOf, NOW } from '../../../test/platforms/fetcher-tools.js';
import { mastodon } from './mastodon.js';

const store = testDatabase();

async function newInstance() {
  const instance = await new FakeMastodon().start();
  const tools = fetcherTools(store.database, { mastodonUrl: instance.url });
  return { instance, ...asking(mastodon, 'alice@social.example', tools) };
}

describe('the statuses of an account', () => {
  it('come newest first with text, author, link, time and numbers', async () => {
    const { instance, page } = await newInstance();
    instance.post();
    const status = instance.post({ content: '<p>Hello</p>', favourites_count: 3, replies_count: 2, reblogs_count: 1 });
    const { posts, source } = await page();
    expect(posts).toHaveLength(2);
    expect(posts[0]).toEqual({
      externalId: status.id,
      url: status.url,
      title: undefined,
      content: '<p>Hello</p>',
      author: {
        username: 'alice@social.example',
        displayName: 'ALICE',
        avatarUrl: 'https://files.social.example/alice.png',
      },
      media: [],
      metrics: { likes: 3, comments: 2, shares: 1 },
      publishedAt: new Date('2024-05-06T07:08:09.123Z'),
    });
    expect(source).toEqual({ title: 'ALICE', siteUrl: 'https://social.example/@alice' });
  });

  it('are asked for without replies, and no more than the API gives', async () => {
    const { instance, page } = await newInstance();
    await page({ limit: 500 });
    expect(instance.paths).toEqual([
      '/api/v1/accounts/lookup?acct=alice%40social.example',
      '/api/v1/accounts/101/statuses?limit=40&exclude_replies=true',
    ]);
  });

  it('end where the instance names no next page', async () => {
    const { instance, page } = await newInstance();
    instance.post();
    expect((await page({ limit: 2 })).nextCursor).toBeUndefined();
  });

  it('go on where the instance says, which may be below the last that it shows', async () => {
    const { instance, page } = await newInstance();
    const headers = {
      Link: '<https://x.example/?max_id=55&limit=2>; rel="next", <https://x.example/?min_id=9>; rel="prev"',
    };
    instance.refuses = { status: 200, body: [mastodonStatus('77')], headers };
    expect((await page({ validators: { memo: '101' } })).nextCursor).toBe('101/55');
  });

  it('are walked to the end where the server says nothing about pages', async () => {
    const { instance, page } = await newInstance();
    instance.sendsLinks = false;
    for (let count = 0; count < 4; count += 1) instance.post();
    const first = await page({ limit: 3 });
    const second = await page({ limit: 3, cursor: first.nextCursor });
    const third = await page({ limit: 3, cursor: second.nextCursor });
    expect([first, second, third].map(({ posts }) => posts.length)).toEqual([3, 1, 0]);
    expect(third.nextCursor).toBeUndefined();
  });

  it('change when they are edited', async () => {
    const { instance, ask } = await newInstance();
    const status = instance.post({ content: '<p>tpyo</p>' });
    const { validators } = await ask();
    Object.assign(status, { content: '<p>typo</p>', edited_at: '2024-05-06T08:00:00.000Z' });
    expect(await ask({ validators: validators ?? {} })).toMatchObject({ posts: [{ content: '<p>typo</p>' }] });
  });

  it('are left out where not everybody may see them', async () => {
    const { instance, page } = await newInstance();
    instance.post({ visibility: 'private' });
    instance.post({ visibility: 'direct' });
    const unlisted = instance.post({ visibility: 'unlisted' });
    expect(idsOf(await page())).toEqual([unlisted.id]);
  });

  it('may be none', async () => {
    const { page } = await newInstance();
    expect(await page()).toMatchObject({ posts: [], nextCursor: undefined, source: { title: 'ALICE' } });
  });
});

describe('the id of an account', () => {
  it('is looked up once', async () => {
    const { instance, ask } = await newInstance();
    const { validators } = await ask();
    instance.post();
    await ask({ validators: validators ?? {} });
    expect(instance.paths.filter((path) => path.includes('lookup'))).toHaveLength(1);
  });

  it('is looked up again when the account came back under another id', async () => {
    const { instance, ask, page } = await newInstance();
    const status = instance.post();
    const { validators } = await ask();
    instance.account = account('alice', { id: '202' });
    const again = await page({ validators: validators ?? {} });
    expect(idsOf(again)).toEqual([status.id]);
    expect(again.validators?.memo).toBe('202');
  });

  it('is looked up again when another account has it', async () => {
    const { instance, ask } = await newInstance();
    const { validators } = await ask();
    instance.account = account('mallory', { id: '101' });
    instance.post();
    const failed = ask({ validators: validators ?? {} });
    await expect(failed).rejects.toMatchObject({ name: 'FetchFailure', code: 'NOT_FOUND' });
  });
});

describe('an unchanged account', () => {
  it('costs one conditional request', async () => {
    const { instance, ask } = await newInstance();
    instance.post();
    const { validators } = await ask();
    instance.paths.length = 0;
    expect(await ask({ validators: validators ?? {} })).toEqual({
      unchanged: true,
      notModified: true,
      validators,
      allows: { everySeconds: 60 },
    });
    expect(instance.paths).toHaveLength(1);
  });
});

describe('a boost', () => {
  const bob = account('bob', { acct: 'bob@other.example', display_name: 'Bob' });

  it('is shown as what was boosted, with an id and a time of its own', async () => {
    const { instance, post } = await newInstance();
    const boosted = mastodonStatus('77', { account: bob, url: 'https://other.example/@bob/77', favourites_count: 9 });
    const boost = instance.post({ content: '', created_at: '2024-06-01T00:00:00.000Z', reblog: boosted });
    expect(await post()).toMatchObject({
      externalId: boost.id,
      url: 'https://other.example/@bob/77',
      title: 'Boosted @bob@other.example',
      content: '<p>status 77</p>',
      author: { username: 'bob@other.example', displayName: 'Bob' },
      metrics: { likes: 9 },
      publishedAt: new Date('2024-06-01T00:00:00Z'),
    });
  });

  it('keeps the warning of what was boosted', async () => {
    const { instance, post } = await newInstance();
    instance.post({ reblog: mastodonStatus('77', { account: bob, spoiler_text: 'food' }) });
    expect(await post()).toMatchObject({
      title: 'Boosted @bob@other.example: food',
      content: '<details><summary>food</summary><p>status 77</p></details>',
    });
  });
});

describe('what a status holds', () => {
  it('is hidden behind its content warning', async () => {
    const { instance, post } = await newInstance();
    instance.post({ spoiler_text: 'the end of <Dune>', content: '<p>worms</p>' });
    expect(await post()).toMatchObject({
      title: 'the end of <Dune>',
      content: '<details><summary>the end of &lt;Dune&gt;</summary><p>worms</p></details>',
    });
  });

  it('may be pictures, videos and sounds', async () => {
    const { instance, post } = await newInstance();
    instance.post({
      media_attachments: [
        { id: '1', type: 'image', url: 'https://files.example/a.PNG', description: 'a cat <3' },
        { id: '2', type: 'gifv', url: 'https://files.example/b.mp4', description: null },
        { id: '3', type: 'video', url: 'https://files.example/c.mp4' },
        { id: '4', type: 'audio', url: 'https://files.example/d.mp3' },
        { id: '5', type: 'unknown', url: null, remote_url: 'https://far.example/e.bin' },
        { id: '6', type: 'image', url: null, remote_url: null },
        { id: '7', type: 'image', url: 'javascript:alert(1)' },
      ],
    });
    expect((await post())?.media).toEqual([
      { url: 'https://files.example/a.PNG', type: 'image/png', alt: 'a cat <3' },
      { url: 'https://files.example/b.mp4', type: 'video/mp4', alt: undefined },
      { url: 'https://files.example/c.mp4', type: 'video/mp4', alt: undefined },
      { url: 'https://files.example/d.mp3', type: 'audio/mpeg', alt: undefined },
      { url: 'https://far.example/e.bin', type: undefined, alt: undefined },
    ]);
  });

  it('may be a poll', async () => {
    const { instance, post } = await newInstance();
    const options = [{ title: 'tabs' }, { title: '<b>spaces</b>', votes_count: 7 }];
    instance.post({ content: '<p>Which?</p>', poll: { id: '1', options, votes_count: 7 } });
    expect((await post())?.content).toBe('<p>Which?</p><ul><li>tabs</li><li>&lt;b&gt;spaces&lt;/b&gt;</li></ul>');
  });

  it('may be nonsense where little depends on it', async () => {
    const { instance, post } = await newInstance();
    instance.account = account('alice', { id: '101', display_name: '  ', avatar: 'javascript:alert(1)' });
    instance.post({ favourites_count: 1e300, replies_count: -4, reblogs_count: 'many', created_at: 'soon', url: null });
    expect(await post()).toMatchObject({
      url: undefined,
      author: { displayName: 'alice', avatarUrl: undefined },
      metrics: { likes: undefined, comments: undefined, shares: undefined },
      publishedAt: undefined,
    });
  });
});

it('a compatible server may leave out what is not needed', async () => {
  const { instance, post } = await newInstance();
  instance.account = { id: '101', username: 'alice', moved: 'nowhere' };
  const left = ['visibility', 'spoiler_text', 'url', 'reblog', 'media_attachments', 'poll', 'favourites_count'];
  instance.post({ ...Object.fromEntries(left.map((name) => [name, undefined])), account: instance.account });
  expect(await post()).toMatchObject({ content: expect.stringContaining('status'), media: [], title: undefined });
  instance.post({ media_attachments: [{ url: 5 }, 'none'], poll: { options: null }, visibility: 'public' });
  expect(await post()).toMatchObject({ media: [] });
});

describe('text that no database takes', () => {
  it('is cleaned before it becomes a title or a reason', async () => {
    const { instance, ask, page } = await newInstance();
    instance.account = account('alice', { id: '101', display_name: 'A\u0000lice \ud800' });
    expect((await page()).source?.title).toBe('Alice \ufffd');
    instance.refuses = { status: 403, body: { error: 'no\u0000pe' } };
    await expect(ask()).rejects.toThrow(/answered 403: nope$/);
  });
});

describe('an instance that refuses', () => {
  it.each([
    [422, { error: 'This method requires an authenticated user' }, 'AUTH_ERROR'],
    [422, { error: 'Invalid date' }, 'INVALID_COMMAND'],
  ])('with %i %o means %s', async (status, body, code) => {
    const { instance, ask } = await newInstance();
    instance.refuses = { status, body };
    await expect(ask()).rejects.toMatchObject({ name: 'FetchFailure', code });
  });

  it('says until when it has had enough', async () => {
    const { instance, ask } = await newInstance();
    instance.refuses = { status: 429, headers: { 'X-RateLimit-Reset': '2030-01-01T00:04:00.123456Z' } };
    await expect(ask()).rejects.toMatchObject({ until: new Date('2030-01-01T00:04:00.123Z') });
  });

  it('is believed for a day at most', async () => {
    const { instance, ask } = await newInstance();
    instance.refuses = { status: 429, headers: { 'X-RateLimit-Reset': '2999-01-01T00:00:00Z' } };
    await expect(ask()).rejects.toMatchObject({ until: new Date('2030-01-02T00:00:00Z') });
  });

  it('sets no time for anything but its limit', async () => {
    const { instance, ask } = await newInstance();
    instance.refuses = { status: 404, body: {} };
    await expect(ask()).rejects.toMatchObject({ until: undefined });
  });
});

describe('without a configured base', () => {
  it('the account’s own instance is asked, over https', async () => {
    const names: string[] = [];
    const lookup = async (name: string) => {
      names.push(name);
      return [{ address: '10.0.0.1', family: 4 as const }];
    };
    const tools = { ...fetcherTools(store.database), http: outgoingClient(store.database, { lookup }) };
    const signal = new AbortController().signal;
    const command = { externalId: 'alice@social.example', limit: 40, validators: {}, now: NOW, signal };
    await expect(mastodon.fetch(command, tools)).rejects.toThrow(/^https:\/\/social\.example/);
    expect(names).toEqual(['social.example']);
  });
});

it('a list of pages that is no such list costs nothing', { timeout: 10_000 }, async () => {
  const { instance, page } = await newInstance();
  instance.post();
  instance.links = '<?max_id=1'.repeat(1_500);
  expect((await page()).nextCursor).toBeUndefined();
});
