import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClock } from '../../test/harness/api.js';
import { testDatabase } from '../../test/harness/database.js';
import { foundPost, postsOn } from '../../test/posts/made-posts.js';
import { seededRandom } from '../../test/program/seeded-random.js';
import { ReadAllStore } from '../feeds/read-all.store.js';
import { MarksStore } from './marks.store.js';
import { type TimelineFilter, TimelineStore } from './timeline.store.js';
import { positionAfter, type TimelinePosition } from './timeline-position.js';

const given = testDatabase();
let made: ReturnType<typeof postsOn>;
let timeline: TimelineStore;
let marks: MarksStore;
let readAll: ReadAllStore;
beforeAll(() => {
  made = postsOn(given.database);
  timeline = new TimelineStore(given.database);
  marks = new MarksStore(given.database, new TestClock(), made.changes);
  readAll = new ReadAllStore(given.database, made.events, made.changes);
});
afterAll(() => made.sanitiser.onApplicationShutdown());

const START = Date.parse('2026-01-01T00:00:00Z');
let posted = 0;
const post = (minute: number) => foundPost(`post ${++posted}`, { publishedAt: new Date(START + minute * 60_000) });
const query = (text: string, values: unknown[]) => given.database.pool.query(text, values);

/** The expected list, by the marks alone. */
async function expected(userId: string, { source, folder }: TimelineFilter): Promise<string[]> {
  const { rows } = await query(
    `SELECT p.id FROM posts p JOIN follows f ON f.source_id = p.source_id AND f.user_id = $1
     LEFT JOIN marks m ON m.user_id = f.user_id AND m.post_id = p.id
     WHERE p.removed_at IS NULL AND NOT coalesce(m.read, p.id <= f.read_up_to)
       AND ($2::bigint IS NULL OR f.source_id = $2) AND ($3::text IS NULL OR f.folder = $3)
     ORDER BY p.published_at DESC, p.id DESC`,
    [userId, source, folder],
  );
  return rows.map(({ id }) => id);
}

async function unread(userId: string, filter: TimelineFilter, limit: number): Promise<string[]> {
  const seen: string[] = [];
  let after: TimelinePosition | undefined;
  for (;;) {
    const page = await timeline.list(userId, { ...filter, unread: true }, { after, limit });
    seen.push(...page.map(({ id }) => id));
    if (page.length < limit) return seen;
    after = positionAfter(page);
  }
}

async function reader(sources: number) {
  const userId = await made.newUser();
  const sourceIds: string[] = [];
  for (let n = 0; n < sources; n++) {
    const sourceId = await made.newSource();
    await made.follow(userId, sourceId);
    await query('UPDATE follows SET folder = $3 WHERE user_id = $1 AND source_id = $2', [
      userId,
      sourceId,
      n % 2 ? 'odd' : 'even',
    ]);
    sourceIds.push(sourceId);
  }
  return { userId, sourceIds };
}

const rangesOf = async (userId: string): Promise<string[]> =>
  (await query('SELECT ids FROM read_ranges WHERE user_id = $1 ORDER BY source_id', [userId])).rows.map(
    ({ ids }) => ids,
  );

describe('unread posts', () => {
  it.each([1, 2, 3, 4, 5])(
    'are those that marks and read positions leave, whatever came before (world %i)',
    async (seed) => {
      const random = seededRandom(seed);
      const anyOf = <T>(list: T[]) => list[Math.floor(random() * list.length)] as T;
      const { userId, sourceIds } = await reader(6);
      const ids: string[] = [];
      const acts = [
        async () =>
          ids.push(...(await made.save(anyOf(sourceIds), [post(random() * 1_000), post(random() * 1_000)])).added),
        async () => {
          const from = Math.floor(random() * ids.length);
          for (const id of ids.slice(from, from + 8)) await marks.setRead(userId, [id], true);
        },
        () => Promise.all([anyOf(ids), anyOf(ids)].map((id) => marks.setRead(userId, [id], random() < 0.5))),
        () => marks.setRead(userId, [anyOf(ids)], false),
        () => marks.setStarred(userId, [anyOf(ids)], random() < 0.5),
        () => query('UPDATE posts SET removed_at = now() WHERE id = $1', [anyOf(ids)]),
        async () =>
          random() < 0.2 && readAll.readAll(userId, anyOf([{}, { folder: 'odd' }, { source: anyOf(sourceIds) }])),
      ];
      for (const sourceId of sourceIds) ids.push(...(await made.save(sourceId, [0, 1, 2, 3].map(post))).added);
      for (let turn = 0; turn < 120; turn++) {
        await anyOf(acts)();
        if (turn % 20) continue;
        for (const filter of [{}, { source: sourceIds[0] }, { folder: 'odd' }])
          for (const limit of [1, 5, 50])
            expect(await unread(userId, filter, limit)).toEqual(await expected(userId, filter));
      }
    },
  );

  it('include one that arrives late with an old date, between posts that were read', async () => {
    const { userId, sourceIds } = await reader(1);
    const { added } = await made.save(sourceIds[0] ?? '', [10, 20, 30].map(post));
    for (const id of added) await marks.setRead(userId, [id], true);
    const late = await made.save(sourceIds[0] ?? '', [post(15)]);
    expect(await unread(userId, {}, 5)).toEqual(late.added);
  });

  it('are found past posts that share one range, and a mark that is taken back divides it', async () => {
    const { userId, sourceIds } = await reader(1);
    const { added } = await made.save(sourceIds[0] ?? '', [1, 2, 3, 4, 5].map(post));
    for (const id of added.toReversed()) await marks.setRead(userId, [id], true);
    expect(await rangesOf(userId)).toHaveLength(1);
    expect((await rangesOf(userId))[0]?.match(/\[/g)).toHaveLength(1);
    await marks.setRead(userId, [added[2] ?? ''], false);
    expect((await rangesOf(userId))[0]?.match(/\[/g)).toHaveLength(2);
    expect(await unread(userId, {}, 5)).toEqual([added[2]]);
  });

  it('include one that a process of the previous version has marked as unread', async () => {
    const { userId, sourceIds } = await reader(1);
    const { added } = await made.save(sourceIds[0] ?? '', [1, 2, 3].map(post));
    for (const id of added) await marks.setRead(userId, [id], true);
    await query('UPDATE marks SET read = false WHERE post_id = $1', [added[1]]);
    expect(await unread(userId, {}, 5)).toEqual([added[1]]);
  });

  it('need no ranges of posts that were read all at once or removed', async () => {
    const { userId, sourceIds } = await reader(1);
    const { added } = await made.save(sourceIds[0] ?? '', [1, 2, 3, 4, 5].map(post));
    await marks.setRead(userId, [added[1] ?? ''], true);
    await query('UPDATE posts SET removed_at = now() WHERE id <= $1', [added[2]]);
    await marks.setRead(userId, [added[4] ?? ''], true);
    expect((await rangesOf(userId))[0]?.match(/\[/g)).toHaveLength(1);
    await readAll.readAll(userId, {});
    expect(await rangesOf(userId)).toEqual([]);
  });

  it('are summarised by the migration as by single marks', async () => {
    const { userId, sourceIds } = await reader(3);
    for (const sourceId of sourceIds) {
      const { added } = await made.save(sourceId, [1, 2, 3, 4, 5].map(post));
      for (const id of added.filter((_, place) => place !== 2)) await marks.setRead(userId, [id], true);
    }
    const summarised = async () =>
      (
        await query(
          `SELECT p.id FROM posts p JOIN read_ranges r ON r.source_id = p.source_id AND p.id <@ r.ids
           WHERE r.user_id = $1 ORDER BY p.id`,
          [userId],
        )
      ).rows;
    const byMarks = await summarised();
    await query('DELETE FROM read_ranges', []);
    const files = await readdir('migrations');
    const file = files.find((name) => name.includes('read_ranges')) ?? '';
    const statements = (await readFile(`migrations/${file}`, 'utf8')).split('--> statement-breakpoint');
    await query(statements.find((statement) => statement.includes('INSERT INTO "read_ranges"')) ?? '', []);
    expect(byMarks).toHaveLength(12);
    expect(await summarised()).toEqual(byMarks);
  });
});
