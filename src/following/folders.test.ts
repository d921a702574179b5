import { afterAll, beforeAll, expect, it } from 'vitest';
import { Reader, startFeeds } from '../../test/feeds/reading.js';
import type { Api } from '../../test/harness/api.js';
import { testDatabase } from '../../test/harness/database.js';
import { foundPost, postsOn } from '../../test/posts/made-posts.js';

const given = testDatabase();
let api: Api;
let made: ReturnType<typeof postsOn>;
beforeAll(async () => {
  api = await startFeeds(given.url);
  made = postsOn(given.database);
});
afterAll(async () => {
  await made.sanitiser.onApplicationShutdown();
  await api?.stop();
});

let posted = 0;

async function post(sourceId: string, count: number): Promise<string[]> {
  posted += 1;
  const found = Array.from({ length: count }, (_, at) => foundPost(`post ${posted} ${at}`));
  return (await made.save(sourceId, found)).added;
}

const folders = async (reader: Reader) => (await reader.send('GET', '/folders')).json();
const unread = async (reader: Reader) => (await folders(reader)).total.unread;

it('count unread posts with those of the folders below, and sources count their own', async () => {
  const reader = new Reader(api);
  const [plain, upper, lower] = [await reader.follow(), await reader.follow(), await reader.follow()];
  await reader.send('PATCH', `/sources/${upper}/follow`, { folder: 'news' });
  await reader.send('PATCH', `/sources/${lower}/follow`, { folder: 'news/local' });
  const [, second = ''] = await post(plain, 2);
  await post(upper, 3);
  const [first = ''] = await post(lower, 4);
  await reader.send('PUT', `/posts/${second}/read`);
  await reader.send('PUT', `/posts/${first}/read`);

  await expect.poll(() => unread(reader)).toBe(7);
  expect(await folders(reader)).toEqual({
    items: [
      { folder: 'news', sources: 2, unread: 6 },
      { folder: 'news/local', sources: 1, unread: 3 },
    ],
    nextCursor: null,
    total: { sources: 3, unread: 7 },
  });
  const { items } = (await reader.send('GET', '/sources')).json();
  expect(items.map(({ id, unread }: { id: string; unread: number }) => [id, unread])).toEqual([
    [plain, 1],
    [upper, 3],
    [lower, 3],
  ]);
});

it('count at once what the same process has marked, and new posts as soon as their event arrives', async () => {
  const reader = new Reader(api);
  const source = await reader.follow();
  const [first = '', second = '', third = ''] = await post(source, 5);
  await expect.poll(() => unread(reader)).toBe(5);
  for (const id of [first, second, third]) await reader.send('PUT', `/posts/${id}/read`);
  expect(await unread(reader)).toBe(2);
  await reader.send('DELETE', `/posts/${second}/read`);
  expect(await unread(reader)).toBe(3);
  await reader.send('POST', '/feed/read-all', { source });
  expect(await unread(reader)).toBe(0);
  await reader.send('DELETE', `/posts/${first}/read`);
  expect(await unread(reader)).toBe(1);
  await post(source, 2);
  await expect.poll(() => unread(reader)).toBe(3);
});

it('answer 304 while nothing has changed', async () => {
  const reader = new Reader(api);
  await post(await reader.follow(), 1);
  await expect.poll(() => unread(reader)).toBe(1);
  const { etag } = (await reader.send('GET', '/folders')).headers;
  const again = () =>
    api.send({ url: '/api/v1/folders', headers: { ...reader.headers, 'if-none-match': String(etag) } });
  expect([(await again()).statusCode, (await again()).body]).toEqual([304, '']);
  await reader.follow();
  await expect.poll(async () => (await again()).statusCode).toBe(200);
});
