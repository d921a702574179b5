import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../test/harness/database.js';
import { foundPost, postsOn } from '../../test/posts/made-posts.js';
import { seededRandom } from '../../test/program/seeded-random.js';
import { TimelineStore } from './timeline.store.js';
import { positionAfter, type TimelinePosition } from './timeline-position.js';

const given = testDatabase();
let made: ReturnType<typeof postsOn>;
let store: TimelineStore;
beforeAll(() => {
  made = postsOn(given.database);
  store = new TimelineStore(given.database);
});
afterAll(() => made.sanitiser.onApplicationShutdown());

const START = Date.parse('2026-01-01T00:00:00Z');
let posted = 0;
const post = (minute: number) => foundPost(`post ${++posted}`, { publishedAt: new Date(START + minute * 60_000) });

/** The expected order, computed independently. */
async function wholeTimeline(userId: string): Promise<string[]> {
  const { rows } = await given.database.pool.query(
    `SELECT p.id FROM posts p JOIN follows f ON f.source_id = p.source_id
     WHERE f.user_id = $1 AND p.removed_at IS NULL ORDER BY p.published_at DESC, p.id DESC`,
    [userId],
  );
  return rows.map(({ id }) => id);
}

/** Reads page by page, with a callback between two pages. */
async function readAll(userId: string, limit: number, between: () => Promise<unknown> = async () => undefined) {
  const seen: string[] = [];
  let after: TimelinePosition | undefined;
  for (;;) {
    const posts = await store.list(userId, {}, { after, limit });
    seen.push(...posts.map(({ id }) => id));
    if (posts.length < limit) return seen;
    after = positionAfter(posts);
    await between();
  }
}

/** Creates sources that post often, rarely, all at the same moment, and never. */
async function reader(random: () => number): Promise<{ userId: string; sourceIds: string[] }> {
  const userId = await made.newUser();
  const sourceIds: string[] = [];
  for (let source = 0; source < 12; source++) {
    const sourceId = await made.newSource();
    await made.follow(userId, sourceId);
    sourceIds.push(sourceId);
    const reach = 10 ** Math.ceil(random() * 4);
    const moments = Array.from({ length: source % 4 === 3 ? 0 : Math.ceil(random() * 12) }, () =>
      source % 4 === 2 ? 7 : Math.floor(random() * reach),
    );
    await made.save(sourceId, moments.map(post));
  }
  return { userId, sourceIds };
}

describe('a timeline', () => {
  it.each([1, 2, 3, 4, 5, 6])('is the same read in pages of any size as read at once (world %i)', async (seed) => {
    const { userId } = await reader(seededRandom(seed));
    const whole = await wholeTimeline(userId);
    expect(whole.length).toBeGreaterThan(20);
    for (const limit of [1, 2, 3, 7, 50]) expect(await readAll(userId, limit)).toEqual(whole);
  });

  it.each([1, 2, 3])('neither skips nor repeats a post while others arrive (world %i)', async (seed) => {
    const random = seededRandom(seed);
    const { userId, sourceIds } = await reader(random);
    const before = await wholeTimeline(userId);
    const seen = await readAll(userId, 4, () =>
      made.save(sourceIds[Math.floor(random() * sourceIds.length)] ?? '', [post(Math.floor(random() * 20_000))]),
    );
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((id) => before.includes(id))).toEqual(before);
  });

  it('is found beyond a silence far longer than the page before', async () => {
    const userId = await made.newUser();
    const sourceId = await made.newSource();
    await made.follow(userId, sourceId);
    await made.save(sourceId, [0, 1, 2, 500_000, 500_001, 500_002].map(post));
    expect(await readAll(userId, 3)).toEqual(await wholeTimeline(userId));
  });

  it('holds nothing of sources that others follow', async () => {
    const { userId } = await reader(seededRandom(9));
    const stranger = await made.newUser();
    expect(await store.list(stranger, {}, { limit: 50 })).toEqual([]);
    const posts = await store.list(userId, {}, { limit: 5 });
    expect(await store.asReadBy(stranger, posts)).toEqual([]);
  });
});
