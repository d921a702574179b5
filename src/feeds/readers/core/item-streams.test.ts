import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Reader, startFeeds } from '../../../../test/feeds/reading.js';
import { type Api } from '../../../../test/harness/api.js';
import { testDatabase } from '../../../../test/harness/database.js';
import { foundPost, postsOn } from '../../../../test/posts/made-posts.js';
import { seededRandom } from '../../../../test/program/seeded-random.js';
import {
  ItemStreams,
  type StreamFilter,
  type StreamItem,
  type StreamPosition,
  type StreamRequest,
} from './item-streams.js';
import { ReaderItems } from './reader-items.js';

const given = testDatabase();
let api: Api;
let made: ReturnType<typeof postsOn>;
let streams: ItemStreams;
let items: ReaderItems;
beforeAll(async () => {
  api = await startFeeds(given.url);
  made = postsOn(given.database);
  streams = api.app.get(ItemStreams);
  items = api.app.get(ReaderItems);
});
afterAll(async () => {
  await made.sanitiser.onApplicationShutdown();
  await api?.stop();
});

const MINUTE_MS = 60_000;
const START = Date.parse('2026-01-01T00:00:00Z');
let posted = 0;

async function post(sourceId: string, count = 1, foundAt = new Date()): Promise<string[]> {
  const found = Array.from({ length: count }, () => {
    posted += 1;
    return foundPost(`post ${posted}`, { publishedAt: new Date(START + posted * MINUTE_MS) });
  });
  return (await made.save(sourceId, found, foundAt)).added;
}

async function newReader() {
  const reader = new Reader(api);
  const { id } = (await reader.send('GET', '/users/me')).json();
  return { reader, id: id as string };
}

const NEWEST_FIRST = { order: 'item', direction: 'desc', limit: 1_000 } as const;

async function all(
  userId: string,
  filter: StreamFilter = {},
  request: Partial<StreamRequest> = {},
): Promise<StreamItem[]> {
  return (await streams.page(userId, { ...NEWEST_FIRST, ...filter, ...request })).items;
}

const itemIds = async (userId: string, filter?: StreamFilter, request?: Partial<StreamRequest>) =>
  (await all(userId, filter, request)).map(({ itemId }) => itemId);
const postIds = async (userId: string, filter?: StreamFilter, request?: Partial<StreamRequest>) =>
  (await all(userId, filter, request)).map(({ postId }) => postId);

async function pages(userId: string, request: Omit<StreamRequest, 'after'>, between?: () => Promise<unknown>) {
  const seen: StreamItem[] = [];
  let after: StreamPosition | undefined;
  do {
    const page = await streams.page(userId, { ...request, after });
    seen.push(...page.items);
    after = page.next;
    await between?.();
  } while (after);
  return seen;
}

describe('a user who follows an old source', () => {
  it('gets its newest 50 posts as new items, in the order of their publication', async () => {
    const [{ reader: first }, { reader, id }] = [await newReader(), await newReader()];
    const old = await first.follow('https://example.org/old');
    const added = await post(old, 60);
    const own = await reader.follow();
    const [before = ''] = await post(own);
    await reader.follow('https://example.org/old');

    const found = await all(id);
    expect(found).toHaveLength(61);
    const fresh = found.filter(({ itemId }) => BigInt(itemId) > BigInt(before));
    expect(fresh.map(({ postId }) => postId)).toEqual(added.slice(10).toReversed());
    expect(fresh.every(({ at }) => at > (found.at(-1)?.at ?? 0))).toBe(true);
    expect(found.slice(50).map(({ itemId, postId }) => itemId === postId)).toEqual(Array(11).fill(true));
    const next = await post(old);
    expect(await itemIds(id, { aboveItem: fresh[0]?.itemId })).toEqual(next);
  });

  it('gets new item ids when following it again, except for starred posts, which keep theirs', async () => {
    const [{ reader: first }, { reader, id }] = [await newReader(), await newReader()];
    const address = 'https://example.org/again';
    const source = await first.follow(address);
    const added = await post(source, 4);
    await reader.follow(address);
    const before = await all(id);
    const starred = before[1] as StreamItem;
    const unstarred = before[2] as StreamItem;
    await items.star(id, [starred.itemId, unstarred.itemId], true);
    await reader.send('DELETE', `/sources/${source}/follow`);
    expect(await itemIds(id, { starred: true })).toEqual([starred.itemId, unstarred.itemId]);
    await items.star(id, [unstarred.itemId], false);
    await reader.follow(address);

    const after = await all(id);
    expect(after.map(({ postId }) => postId).toSorted()).toEqual(added.toSorted());
    expect(after.find(({ postId }) => postId === starred.postId)?.itemId).toBe(starred.itemId);
    const others = after.filter(({ postId }) => postId !== starred.postId);
    expect(others.every(({ itemId }) => BigInt(itemId) > BigInt(before[0]?.itemId ?? ''))).toBe(true);
    expect((await items.resolve(id, [unstarred.itemId])).size).toBe(0);
  });

  it('may name a post by its own id as well', async () => {
    const [{ reader: first }, { reader, id }] = [await newReader(), await newReader()];
    const [added = ''] = await post(await first.follow('https://example.org/names'));
    await reader.follow('https://example.org/names');
    const [itemId = ''] = await itemIds(id);
    expect(itemId).not.toBe(added);
    expect(await items.findItems(id, [added, itemId])).toEqual([expect.objectContaining({ itemId, postId: added })]);
  });
});

describe('an item of others', () => {
  it.each(['its item id', 'the id of its post'])('cannot be found, marked or starred by %s', async (by) => {
    const [{ reader, id }, { reader: other, id: otherId }] = [await newReader(), await newReader()];
    const address = `https://example.org/private of ${by}`;
    const [own = ''] = await post(await reader.follow(address));
    const [{ itemId = '' } = {}] = await all(id);
    const given = by === 'its item id' ? itemId : own;
    await other.follow();
    expect(await items.findItems(otherId, [given])).toEqual([]);
    expect(await items.markRead(otherId, [given], true)).toBe(0);
    expect(await items.star(otherId, [given], true)).toBe(0);
    expect(await items.star(id, [given], true)).toBe(1);
  });

  it('is not the item of a user for whom the same number means another post', async () => {
    const [{ reader: first }, { reader, id }] = [await newReader(), await newReader()];
    await post(await first.follow('https://example.org/numbers'), 3);
    await reader.follow('https://example.org/numbers');
    const own = await itemIds(id);
    const { id: stranger } = await newReader();
    expect((await items.resolve(stranger, own)).size).toBe(0);
  });
});

describe('pages', () => {
  it.each([
    ['item', 'desc'],
    ['item', 'asc'],
    ['published', 'desc'],
    ['published', 'asc'],
  ] as const)('by %s, %s, neither skip nor repeat an item while posts arrive', async (order, direction) => {
    const { reader, id } = await newReader();
    const sources = [await reader.follow(), await reader.follow(), await reader.follow()];
    for (const source of [...sources, ...sources]) await post(source, 3);
    const before = await itemIds(id);
    const seen = await pages(id, { order, direction, limit: 4 }, () => post(sources[0] as string));
    const ids = seen.map(({ itemId }) => itemId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(before));
    expect(ids).toEqual(direction === 'desc' ? ids.toSorted(descending) : ids.toSorted(descending).toReversed());
  });

  it('hold what was found within a time, by the later of the finding and the follow', async () => {
    const [{ reader: first }, { reader, id }] = [await newReader(), await newReader()];
    const source = await first.follow('https://example.org/times');
    const long = new Date(Date.now() - 86_400_000);
    const [old = ''] = await post(source, 1, long);
    await reader.follow('https://example.org/times');
    const [recent = ''] = await post(source);
    expect(await postIds(id, { foundSince: new Date(Date.now() - MINUTE_MS) })).toEqual([recent, old]);
    expect(await postIds(id, { foundBefore: new Date(long.getTime() + 1) })).toEqual([]);
    const { id: firstId } = (await first.send('GET', '/users/me')).json();
    expect(await postIds(firstId, { foundSince: new Date(Date.now() - MINUTE_MS) })).toEqual([recent]);
    expect(await postIds(firstId, { foundBefore: new Date(long.getTime() + 1) })).toEqual([old]);
  });
});

const descending = (a: string, b: string) => Number(BigInt(b) - BigInt(a));

interface ModelledItem {
  itemId: string;
  postId: string;
  sourceId: string;
  folder: string | null;
  read: boolean;
  starred: boolean;
}

/** Everything that the user can see, straight from the tables. */
async function model(userId: string): Promise<ModelledItem[]> {
  const { rows } = await given.database.pool.query<ModelledItem>(
    `SELECT coalesce(own.item_id, p.id) AS "itemId", p.id AS "postId", p.source_id AS "sourceId", f.folder,
       coalesce(m.read, p.id <= f.read_up_to, false) AS read, m.starred_at IS NOT NULL AS starred
     FROM posts p LEFT JOIN follows f ON f.user_id = $1 AND f.source_id = p.source_id
     LEFT JOIN marks m ON m.user_id = $1 AND m.post_id = p.id
     LEFT JOIN (SELECT user_id, unnest(item_ids) AS item_id, unnest(post_ids) AS post_id FROM backfills) AS own
       ON own.user_id = $1 AND own.post_id = p.id
     WHERE p.removed_at IS NULL AND (f.user_id IS NOT NULL OR m.starred_at IS NOT NULL)`,
    [userId],
  );
  return rows.toSorted((a, b) => descending(a.itemId, b.itemId));
}

it.each([1, 2, 3])('agree with the tables after anything that people do, try %i', async (seed) => {
  const random = seededRandom(seed);
  const anyOf = <T>(list: T[]) => list[Math.floor(random() * list.length)] as T;
  const [{ reader: other }, { reader, id }] = [await newReader(), await newReader()];
  const addresses = Array.from({ length: 6 }, (_, at) => `https://example.org/model ${seed} ${at}`);
  const sources: string[] = [];
  for (const address of addresses) sources.push(await other.follow(address));
  for (const source of sources) await post(source, 3);
  const anyItem = async () => anyOf(await model(id))?.itemId ?? '1';
  const acts = [
    async () => reader.follow(anyOf(addresses)),
    async () => reader.send('PATCH', `/sources/${anyOf(sources)}/follow`, { folder: anyOf(['a', 'a/b', null]) }),
    async () => random() < 0.3 && reader.send('DELETE', `/sources/${anyOf(sources)}/follow`),
    async () => post(anyOf(sources), 2),
    async () => items.markRead(id, [await anyItem(), await anyItem()], random() < 0.6),
    async () => items.star(id, [await anyItem()], random() < 0.6),
    async () => random() < 0.2 && reader.send('POST', '/feed/read-all', { source: anyOf(sources) }).catch(() => {}),
    async () => given.database.pool.query('UPDATE posts SET removed_at = now() WHERE id = $1', [await anyItem()]),
  ];
  for (let step = 0; step < 60; step++) await anyOf(acts)();

  const expected = await model(id);
  const isFollowed = ({ sourceId }: ModelledItem) => followed.has(sourceId);
  const { rows } = await given.database.pool.query('SELECT source_id AS id FROM follows WHERE user_id = $1', [id]);
  const followed = new Set(rows.map((row: { id: string }) => row.id));
  const filters: [StreamFilter, (item: ModelledItem) => boolean][] = [
    [{}, isFollowed],
    [{ read: false }, (item) => isFollowed(item) && !item.read],
    [{ read: true }, (item) => isFollowed(item) && item.read],
    [{ starred: true }, (item) => item.starred],
    [{ starred: false }, (item) => isFollowed(item) && !item.starred],
    [{ starred: true, read: false }, (item) => item.starred && !item.read],
    [{ read: false, starred: false }, (item) => isFollowed(item) && !item.read && !item.starred],
    [{ folder: 'a' }, (item) => isFollowed(item) && item.folder === 'a'],
    [{ folder: null, read: false }, (item) => isFollowed(item) && item.folder === null && !item.read],
    [{ folder: 'a', starred: true }, (item) => isFollowed(item) && item.folder === 'a' && item.starred],
    [{ source: sources[0] }, (item) => isFollowed(item) && item.sourceId === sources[0]],
    [{ source: sources[1], read: false }, (item) => isFollowed(item) && item.sourceId === sources[1] && !item.read],
  ];
  for (const [filter, isWanted] of filters) {
    const wanted = expected.filter(isWanted).map(({ itemId }) => itemId);
    for (const order of ['item', 'published'] as const) {
      for (const direction of ['desc', 'asc'] as const) {
        const seen = (await pages(id, { ...filter, order, direction, limit: 5 })).map(({ itemId }) => itemId);
        const inOrder = direction === 'desc' ? wanted : wanted.toReversed();
        expect([filter, order, order === 'item' ? seen : seen.toSorted()]).toEqual([
          filter,
          order,
          order === 'item' ? inOrder : inOrder.toSorted(),
        ]);
      }
    }
  }
});
