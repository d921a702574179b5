import { sql } from 'drizzle-orm';
import type { Database } from '../../src/platform/database/database.js';

const SOURCES = 10_000;
export const POSTS = 1_000_000;
const FOLLOWS = 1_000;
const USERS_OF_A_KIND = 3;

/** Sources up to an id have this many posts at this interval, and the last one is this old. The sum is POSTS. */
const RHYTHMS = [
  { upTo: 2_000, posts: 300, every: '1 hour', silent: '0' },
  { upTo: 6_000, posts: 60, every: '7 days', silent: '0' },
  { upTo: 10_000, posts: 40, every: '30 days', silent: '3 years' },
];

/** The sources that each kind of user follows, as SQL on a source's id. */
const KINDS = {
  busy: 'id <= 2000',
  quiet: 'id > 2000 AND id <= 6000',
  silent: 'id > 6000',
  mixed: 'true',
  'one busy source among silent ones': 'id > 6000 OR id = 77',
};

export type Kind = keyof typeof KINDS;

/** The database itself generates the data, in well under a minute. Ids of posts rise with time, as in production. */
export async function makeFeedWorld({ db }: Database): Promise<Map<Kind, string[]>> {
  await db.execute(sql`
    INSERT INTO sources (type, external_id, title)
    SELECT 'rss', 'https://site' || n || '.example/feed.xml', 'Site ' || n FROM generate_series(1, ${SOURCES}::int) n`);
  let from = 0;
  await db.execute(sql`CREATE TABLE bench_times (source_id bigint, n int, at timestamptz)`);
  for (const { upTo, posts, every, silent } of RHYTHMS) {
    await db.execute(sql`
      INSERT INTO bench_times SELECT id, n, date_trunc('milliseconds',
        now() - ${silent}::interval - (n - 1 + random()) * ${every}::interval)
      FROM sources, generate_series(1, ${posts}::int) n WHERE id > ${from} AND id <= ${upTo}`);
    from = upTo;
  }
  await db.execute(sql`
    INSERT INTO posts (source_id, external_id, url, title, safe_content, author, media, published_at, found_at, content_hash)
    SELECT source_id, 'post-' || n, 'https://site' || source_id || '.example/' || n, 'Post ' || n || ' of site ' || source_id,
      '<p>' || repeat(md5(source_id || '-' || n) || ' ', 30) || '</p>',
      '{"username": "author", "displayName": "An Author"}', '[]', at, at, md5(n::text)
    FROM bench_times ORDER BY at`);
  await db.execute(sql`DROP TABLE bench_times`);
  await db.execute(sql`
    UPDATE sources SET last_post_at = newest.at, last_post_id = newest.id, revision = 1
    FROM (SELECT source_id, max(published_at) AS at, max(id) AS id FROM posts GROUP BY 1) newest
    WHERE sources.id = newest.source_id`);
  const users = await makeUsers(db);
  await db.execute(sql`VACUUM ANALYZE`);
  return users;
}

async function makeUsers(db: Database['db']): Promise<Map<Kind, string[]>> {
  const users = new Map<Kind, string[]>();
  for (const [kind, which] of Object.entries(KINDS)) {
    const ids: string[] = [];
    for (let user = 0; user < USERS_OF_A_KIND; user++) ids.push(await makeUser(db, which));
    users.set(kind as Kind, ids);
  }
  // Further users make the planner's statistics realistic.
  await db.execute(sql`
    WITH others AS (INSERT INTO users (name) SELECT 'other' FROM generate_series(1, 1000) RETURNING id)
    INSERT INTO follows (user_id, source_id)
    SELECT others.id, 1 + (others.id * 7919 + n * 104729) % ${SOURCES}::int FROM others, generate_series(1, 100) n
    ON CONFLICT DO NOTHING`);
  return users;
}

export const MARKS = 100_000;

/** Which posts of their timeline readers have marked as read one by one, as SQL on its place, the newest first. */
const MARKED = {
  'the newest 100,000 posts read': `place <= ${MARKS}`,
  'every second of the newest 200,000 read': `place <= ${2 * MARKS} AND place % 2 = 0`,
  'all but the newest post of each source read': `place <= ${MARKS} + ${FOLLOWS} AND place_in_source > 1`,
};

export type Marked = keyof typeof MARKED;

/** Makes readers who follow busy sources. The marks are summarised as if they had been set one after the other. */
export async function makeMarkedReaders({ db }: Database): Promise<Map<Marked, string>> {
  const readers = new Map<Marked, string>();
  for (const [marked, which] of Object.entries(MARKED)) {
    const id = await makeUser(db, KINDS.busy);
    await db.execute(sql`
      INSERT INTO marks (user_id, post_id, read) SELECT ${id}::bigint, id, true FROM (
        SELECT posts.id, row_number() OVER (ORDER BY published_at DESC) AS place,
          row_number() OVER (PARTITION BY source_id ORDER BY published_at DESC) AS place_in_source
        FROM posts JOIN follows USING (source_id) WHERE user_id = ${id}
      ) AS placed WHERE ${sql.raw(which)}`);
    await db.execute(sql`
      INSERT INTO read_ranges (user_id, source_id, ids)
      SELECT user_id, source_id, range_agg(int8range(previous + 1, id, '[]')) FROM (
        SELECT id, source_id, coalesce(lag(id) OVER (PARTITION BY source_id ORDER BY id), 0) AS previous FROM posts
      ) AS placed JOIN marks ON post_id = id AND user_id = ${id} GROUP BY user_id, source_id`);
    readers.set(marked as Marked, id);
  }
  await db.execute(sql`VACUUM ANALYZE marks, read_ranges`);
  return readers;
}

async function makeUser(db: Database['db'], which: string): Promise<string> {
  const { rows } = await db.execute<{ id: string }>(sql`INSERT INTO users (name) VALUES ('reader') RETURNING id`);
  const id = rows[0]?.id ?? '';
  await db.execute(sql`
    INSERT INTO follows (user_id, source_id)
    SELECT ${id}::bigint, id FROM sources WHERE ${sql.raw(which)} ORDER BY id = 77 DESC, random() LIMIT ${FOLLOWS}::int`);
  return id;
}
