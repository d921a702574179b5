import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Reader, startFeeds } from '../../test/feeds/reading.js';
import type { Api } from '../../test/harness/api.js';
import { testDatabase } from '../../test/harness/database.js';
import { foundPost, postsOn } from '../../test/posts/made-posts.js';
import { encodeCursor } from '../platform/api/list-query.js';
import { FeedItem } from '../posts/feed-item.js';

const given = testDatabase();
let made: ReturnType<typeof postsOn>;
let api: Api;
beforeAll(async () => {
  made = postsOn(given.database);
  api = await startFeeds(given.url);
});
afterAll(async () => {
  await api.stop();
  await made.sanitiser.onApplicationShutdown();
});

const at = (day: number) => ({ publishedAt: new Date(Date.UTC(2026, 0, day)) });

/** A reader of two sources, with posts a to d in turn. */
async function twoSources() {
  const reader = new Reader(api);
  const [one, two] = [await reader.follow(), await reader.follow()];
  await made.save(one, [foundPost('a', at(1)), foundPost('c', at(3))]);
  await made.save(two, [foundPost('b', at(2)), foundPost('d', at(4))]);
  const idOf = async (externalId: string) =>
    (await reader.page()).items.find((item) => item.externalId === externalId)?.id ?? '';
  return { reader, one, two, idOf };
}

describe('a feed', () => {
  it('holds the posts of all followed sources, newest first', async () => {
    const { reader } = await twoSources();
    const { items, nextCursor } = await reader.page();
    expect(items.map((item) => FeedItem.parse(item).externalId)).toEqual(['d', 'c', 'b', 'a']);
    expect(nextCursor).toBeNull();
  });

  it('is read in pages', async () => {
    const { reader, one } = await twoSources();
    const first = await reader.page('/feed?limit=3');
    expect(first.items.map(({ externalId }) => externalId)).toEqual(['d', 'c', 'b']);
    await made.save(one, [foundPost('e', at(5))]);
    expect(await reader.posts(`/feed?limit=3&cursor=${first.nextCursor}`)).toEqual(['a']);
    expect(await reader.posts('/feed')).toEqual(['e', 'd', 'c', 'b', 'a']);
  });

  it('shows nobody what only others follow', async () => {
    const { one, idOf } = await twoSources();
    const stranger = new Reader(api);
    expect(await stranger.posts()).toEqual([]);
    expect(await stranger.posts('/feed?q=a')).toEqual([]);
    const star = await stranger.send('PUT', `/posts/${await idOf('a')}/star`);
    expect(star.statusCode).toBe(404);
    for (const path of [`/feed?source=${one}`, `/sources/${one}/posts`, '/sources/999999/posts']) {
      const answer = await stranger.send('GET', path);
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found']);
    }
  });

  it('can be narrowed to one source, whichever way', async () => {
    const { reader, one } = await twoSources();
    for (const path of [`/feed?source=${one}`, `/sources/${one}/posts`]) {
      expect(await reader.posts(path)).toEqual(['c', 'a']);
      const joint = path.includes('?') ? '&' : '?';
      const { nextCursor } = await reader.page(`${path}${joint}limit=1`);
      expect(await reader.posts(`${path}${joint}limit=1&cursor=${nextCursor}`)).toEqual(['a']);
    }
  });

  it('can be narrowed to a folder and those in it', async () => {
    const { reader, one, two } = await twoSources();
    await reader.send('PATCH', `/sources/${one}/follow`, { folder: 'news', title: 'My own name' });
    await reader.send('PATCH', `/sources/${two}/follow`, { folder: 'news/local' });
    expect(await reader.posts('/feed?folder=news')).toEqual(['d', 'c', 'b', 'a']);
    expect(await reader.posts('/feed?folder=news/local')).toEqual(['d', 'b']);
    expect(await reader.posts('/feed?folder=new')).toEqual([]);
    const { items } = await reader.page(`/feed?source=${one}`);
    expect(items[0]?.source.title).toBe('My own name');
  });

  it('can be searched', async () => {
    const { reader, one } = await twoSources();
    await made.save(one, [
      foundPost('x', { ...at(5), title: 'Herons at the river', content: '<p>They nest here.</p>' }),
      foundPost('y', { ...at(6), title: 'Herons in town', content: '<p>They fish here.</p>' }),
    ]);
    expect(await reader.posts('/feed?q=herons')).toEqual(['y', 'x']);
    expect((await reader.page('/feed?q=herons')).items).toEqual((await reader.page('/feed?limit=2')).items);
    expect(await reader.posts('/feed?q=herons%20-town')).toEqual(['x']);
    expect(await reader.posts(`/feed?q=%22they%20fish%22&source=${one}`)).toEqual(['y']);
    expect(await reader.posts('/feed?q=%22%20%3C-%3E%20%26%20)(%20%3A*%20!!')).toEqual([]);
    for (const minus of ['-', '- '])
      expect(await reader.posts(`/feed?q=herons%20${encodeURIComponent(`${minus.repeat(50)}town`)}`)).toEqual(['x']);
    expect(await reader.posts(`/feed?q=${'-'.repeat(50)}`)).toEqual([]);
    await made.index();
    expect(await reader.posts('/feed?q=herons')).toEqual(['y', 'x']);
    expect(await reader.posts('/feed?q=herons%20-town')).toEqual(['x']);
  });

  it('can be narrowed to what is unread, as marks and reading all leave it', async () => {
    const { reader, one, idOf } = await twoSources();
    await reader.send('PUT', `/posts/${await idOf('d')}/read`);
    expect(await reader.posts('/feed?unread=true')).toEqual(['c', 'b', 'a']);
    expect((await reader.send('POST', '/feed/read-all', { source: one })).json()).toEqual({ sources: 1 });
    expect(await reader.posts('/feed?unread=true')).toEqual(['b']);
    await reader.send('PUT', `/posts/${await idOf('a')}/read`, { read: false });
    expect(await reader.posts('/feed?unread=true')).toEqual(['b', 'a']);
    expect(await reader.posts(`/feed?unread=true&source=${one}`)).toEqual(['a']);
    expect(await reader.posts('/feed?unread=true&limit=1')).toEqual(['b']);
    expect((await reader.page()).items.map(({ read }) => read)).toEqual([true, true, false, false]);
    await reader.send('POST', '/feed/read-all');
    expect(await reader.posts('/feed?unread=true')).toEqual([]);
    await made.save(one, [foundPost('old but new here', at(1))]);
    expect(await reader.posts('/feed?unread=true')).toEqual(['old but new here']);
  });

  it('leaves unread what is being stored while all is read', async () => {
    const { reader, one } = await twoSources();
    const prepared = await made.store.prepare(one, [foundPost('late', at(1))], new Date());
    await given.database.transaction(async (db) => {
      await made.store.save(db, prepared);
      await reader.send('POST', '/feed/read-all');
    });
    expect(await reader.posts('/feed?unread=true')).toEqual(['late']);
  });

  it('reads all of a folder and leaves the rest unread', async () => {
    const { reader, one } = await twoSources();
    await reader.send('PATCH', `/sources/${one}/follow`, { folder: 'news' });
    await reader.send('POST', '/feed/read-all', { folder: 'news' });
    expect(await reader.posts('/feed?unread=true')).toEqual(['d', 'b']);
  });

  it('can be narrowed to what is starred, which outlasts the follow', async () => {
    const { reader, one, two, idOf } = await twoSources();
    for (const post of ['a', 'd']) await reader.send('PUT', `/posts/${await idOf(post)}/star`);
    expect(await reader.posts('/feed?starred=true')).toEqual(['d', 'a']);
    expect(await reader.posts(`/feed?starred=true&source=${one}`)).toEqual(['a']);
    expect((await reader.page()).items.map(({ starred }) => starred)).toEqual([true, false, false, true]);
    await reader.send('DELETE', `/sources/${two}/follow`);
    expect(await reader.posts('/feed?starred=true')).toEqual(['d', 'a']);
    expect(await reader.posts('/feed?starred=true&unread=true&limit=1')).toEqual(['d']);
  });

  it('asks for its sources to be fetched', async () => {
    const { reader, one } = await twoSources();
    expect((await reader.send('POST', '/feed/refresh')).json()).toEqual({ requested: 2 });
    const single = await reader.send('POST', '/feed/refresh', { source: one });
    expect([single.statusCode, single.json()]).toEqual([202, { requested: 1 }]);
    expect((await reader.send('POST', '/feed/refresh', { source: '999999' })).statusCode).toBe(404);
    expect((await reader.send('POST', '/feed/read-all', { source: '999999' })).statusCode).toBe(404);
  });

  const ID = '1';
  it.each([
    ['a cursor that is none', '/feed?cursor=nonsense'],
    ['a cursor of another list', `/feed?cursor=${encodeCursor(['1'])}`],
    ['a cursor in the year 0', `/feed?cursor=${encodeCursor(['0000-01-01T00:00:00Z', ID, 0])}`],
    ['a cursor with an endless reach', `/feed?cursor=${encodeCursor(['2026-01-01T00:00:00Z', ID, 1e300])}`],
    ['a limit that is too large', '/feed?limit=101'],
    ['a source that is no id', '/feed?source=x'],
    ['a search for nothing', '/feed?q='],
    ['a search with a NUL', '/feed?q=%00'],
    ['a flag that is none', '/feed?unread=maybe'],
    ['an unknown filter', '/feed?colour=red'],
    ['an id that is none', '/sources/x/posts'],
  ])('refuses %s and names it', async (_, path) => {
    const answer = await new Reader(api).send('GET', path);
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'validation_failed']);
    expect(answer.json().errors).toHaveLength(1);
  });

  it.each([
    ['the first moment there is', ['0001-01-01T00:00:00Z', ID, 3_153_600_000_000]],
    ['the last one', ['9999-12-31T23:59:59Z', '999999999999999999', 0]],
  ])('takes a cursor at %s', async (_, position) => {
    expect(await new Reader(api).posts(`/feed?cursor=${encodeCursor(position)}`)).toEqual([]);
  });
});

it('is described with what it takes and gives', async () => {
  const { paths } = (await api.send({ url: '/openapi.json', key: api.adminKey })).json();
  const optional = (path: string, method: string) => !paths[`/api/v1${path}`][method].requestBody.required;
  expect(optional('/feed/read-all', 'post')).toBe(true);
  expect(optional('/feed/refresh', 'post')).toBe(true);
  expect(optional('/posts/{id}/read', 'put')).toBe(true);
  expect(optional('/sources/follow', 'post')).toBe(false);
  const given = (path: string) => Object.keys(paths[`/api/v1${path}`].get.responses[200].content);
  expect(given('/feed')).toEqual(['application/json']);
  expect(given('/feed/stream')).toEqual(['text/event-stream']);
  expect(given('/feed.rss')).toEqual(['application/rss+xml; charset=utf-8']);
  expect(given('/feed.json')).toEqual(['application/feed+json; charset=utf-8']);
});
