import { type SQL, sql } from 'drizzle-orm';
import { PreparedQuery } from '../platform/database/prepared-query.js';
import { follows } from '../sources/follows.table.js';
import { sources } from '../sources/sources.table.js';
import type { FeedItemRow } from './feed-item.js';
import { marks } from './marks.table.js';
import { posts } from './posts.table.js';
import { readRanges } from './read-ranges.table.js';

export type PostRow = Omit<FeedItemRow, 'read' | 'starred'>;

/** Loads the shown posts, after they were found through the narrow columns of the indexes. */
export const shownOf = (found: SQL) => sql`
  WITH found AS MATERIALIZED (${found})
  SELECT p.id, p.source_id AS "sourceId", s.type AS "sourceType", s.title AS "sourceTitle", p.external_id AS "externalId",
    p.title, p.url, p.safe_content AS "safeContent", p.published_at AS "publishedAt", p.author, p.media, p.metrics
  FROM found JOIN ${posts} p ON p.id = found.id JOIN ${sources} s ON s.id = p.source_id
  ORDER BY found.published_at DESC, found.id DESC`;

const userId = sql`${sql.placeholder('userId')}::bigint`;
const sourceId = sql`${sql.placeholder('sourceId')}::bigint`;
const folder = sql`${sql.placeholder('folder')}::text`;
const beforeAt = sql`${sql.placeholder('beforeAt')}::timestamptz`;
const afterId = sql`${sql.placeholder('afterId')}::bigint`;
const beforeId = sql`${sql.placeholder('beforeId')}::bigint`;
const floor = sql`${sql.placeholder('floor')}::timestamptz`;
const limit = sql`${sql.placeholder('limit')}::int`;

const kept = sql`p.removed_at IS NULL AND (p.published_at, p.id) < (${beforeAt}, ${beforeId})`;
const newestFirst = sql`ORDER BY p.published_at DESC, p.id DESC`;

export const inFolder = (path: SQL) => sql`(f.folder = ${path} OR starts_with(f.folder, ${path} || '/'))`;
const followed = sql`f.user_id = ${userId} AND (${folder} IS NULL OR ${inFolder(folder)})`;

/** The newest n posts belong to the n sources with the newest posts. Ties are included, because ids decide them. */
export const byNewestSources = new PreparedQuery<PostRow>(
  shownOf(sql`
    WITH heads AS MATERIALIZED (
      SELECT f.source_id, head.at
      FROM ${follows} f JOIN ${sources} s ON s.id = f.source_id
      CROSS JOIN LATERAL (
        SELECT s.last_post_at AS at WHERE s.last_post_at < ${beforeAt}
        UNION ALL
        (SELECT p.published_at FROM ${posts} p
          WHERE s.last_post_at >= ${beforeAt} AND p.source_id = s.id AND ${kept} ${newestFirst} LIMIT 1)
      ) head
      WHERE ${followed}
      ORDER BY head.at DESC FETCH FIRST (${limit}) ROWS WITH TIES
    ), least AS MATERIALIZED (
      SELECT CASE WHEN count(*) >= ${limit} THEN min(at) ELSE '-infinity' END AS at FROM heads
    )
    SELECT p.id, p.published_at FROM heads CROSS JOIN LATERAL (
      SELECT p.id, p.published_at FROM ${posts} p
      WHERE p.source_id = heads.source_id AND ${kept} AND p.published_at >= (SELECT at FROM least)
      ${newestFirst} LIMIT ${limit}) p
    ${newestFirst} LIMIT ${limit}`),
);

/** Finds the newest n posts down to a minimum time: it reads all sources, but few posts of each. */
export const downToFloor = new PreparedQuery<PostRow>(
  shownOf(sql`
    SELECT p.id, p.published_at FROM ${follows} f CROSS JOIN LATERAL (
      SELECT p.id, p.published_at FROM ${posts} p
      WHERE p.source_id = f.source_id AND ${kept} AND p.published_at >= ${floor} ${newestFirst} LIMIT ${limit}) p
    WHERE ${followed}
    ${newestFirst} LIMIT ${limit}`),
);

export const ofOneSource = new PreparedQuery<PostRow>(
  shownOf(sql`
    SELECT p.id, p.published_at FROM ${posts} p WHERE p.source_id = ${sourceId} AND ${kept} ${newestFirst} LIMIT ${limit}`),
);

const ofGivenSource = sql`(${sourceId} IS NULL OR f.source_id = ${sourceId})`;
const unread = sql`p.source_id = f.source_id AND ${kept} AND p.id > f.read_up_to AND NOT p.id <@ f.read_ids
  AND NOT EXISTS (SELECT FROM ${marks} m WHERE m.user_id = ${userId} AND m.post_id = p.id AND m.read IS NOT NULL)`;

/**
 * The newest n unread posts belong to the n sources with the newest unread posts. Sources without posts newer than
 * `readUpTo` are skipped without reading their posts. The ranges are copied once, because stored ones may be compressed.
 */
export const unreadOnly = new PreparedQuery<PostRow>(
  shownOf(sql`
    WITH followed AS MATERIALIZED (
      SELECT f.source_id, f.read_up_to, coalesce(r.ids, '{}') + '{}' AS read_ids
      FROM ${follows} f JOIN ${sources} s ON s.id = f.source_id AND s.last_post_id > f.read_up_to
      LEFT JOIN ${readRanges} r ON r.user_id = f.user_id AND r.source_id = f.source_id
      WHERE ${followed} AND ${ofGivenSource}
    ), heads AS MATERIALIZED (
      SELECT f.*, head.at FROM followed f CROSS JOIN LATERAL (
        SELECT p.published_at AS at FROM ${posts} p WHERE ${unread} ${newestFirst} LIMIT 1) head
      ORDER BY head.at DESC FETCH FIRST (${limit}) ROWS WITH TIES
    ), least AS MATERIALIZED (
      SELECT CASE WHEN count(*) >= ${limit} THEN min(at) ELSE '-infinity' END AS at FROM heads
    )
    SELECT p.id, p.published_at FROM (
      SELECT p.id, p.published_at FROM heads f CROSS JOIN LATERAL (
        SELECT p.id, p.published_at FROM ${posts} p WHERE ${unread} AND p.published_at >= (SELECT at FROM least)
        ${newestFirst} LIMIT ${limit}) p
      UNION ALL
      SELECT p.id, p.published_at FROM ${marks} m JOIN ${posts} p ON p.id = m.post_id
      JOIN ${follows} f ON f.user_id = m.user_id AND f.source_id = p.source_id
      WHERE m.user_id = ${userId} AND m.read = false AND ${kept} AND ${followed} AND ${ofGivenSource}
    ) p
    ${newestFirst} LIMIT ${limit}`),
);

export const byIds = new PreparedQuery<PostRow>(
  shownOf(sql`
    SELECT p.id, p.published_at FROM ${posts} p
    WHERE p.id = ANY(${sql.placeholder('postIds')}::bigint[]) AND p.removed_at IS NULL`),
);

export type Stored = { id: string; bytes: number };

/** Ids are assigned before the commit, so a smaller id can be stored later: the last minute is included. */
export const storedAfter = new PreparedQuery<Stored>(sql`
  WITH late AS MATERIALIZED (
    SELECT coalesce(min(id) - 1, ${afterId}) AS id
    FROM (SELECT id, found_at FROM ${posts} WHERE id <= ${afterId} ORDER BY id DESC LIMIT 2000) AS before
    WHERE found_at >= (SELECT found_at FROM ${posts} WHERE id = ${afterId}) - interval '1 minute')
  SELECT p.id, p.bytes FROM ${follows} f
  JOIN ${sources} s ON s.id = f.source_id AND s.last_post_id > (SELECT id FROM late)
  CROSS JOIN LATERAL (
    SELECT p.id, octet_length(p.safe_content) AS bytes FROM ${posts} p
    WHERE p.source_id = f.source_id AND p.removed_at IS NULL AND p.id > (SELECT id FROM late) AND p.id <> ${afterId}
    LIMIT ${limit}) p
  WHERE f.user_id = ${userId} LIMIT ${limit}`);

type Personal = { id: string; title: string | null; read: boolean; starred: boolean };

export const personal = new PreparedQuery<Personal>(sql`
  SELECT p.id, f.title, coalesce(m.read, p.id <= f.read_up_to, false) AS read, m.starred_at IS NOT NULL AS starred
  FROM unnest(${sql.placeholder('postIds')}::bigint[], ${sql.placeholder('sourceIds')}::bigint[]) AS p (id, source_id)
  LEFT JOIN ${follows} f ON f.user_id = ${userId} AND f.source_id = p.source_id
  LEFT JOIN ${marks} m ON m.user_id = ${userId} AND m.post_id = p.id
  WHERE f.user_id IS NOT NULL OR m.starred_at IS NOT NULL`);

export type Standing = { sourceIds: string[]; revisions: number[]; at: number };

export const standingOfUser = new PreparedQuery<Standing>(sql`
  SELECT coalesce(array_agg(s.id), '{}') AS "sourceIds", coalesce(array_agg(s.revision), '{}') AS revisions,
    extract(epoch FROM now())::float8 AS at
  FROM ${follows} f JOIN ${sources} s ON s.id = f.source_id WHERE f.user_id = ${userId}`);

export const standingOfSource = new PreparedQuery<Standing>(sql`
  SELECT coalesce(array_agg(s.id), '{}') AS "sourceIds", coalesce(array_agg(s.revision), '{}') AS revisions,
    extract(epoch FROM now())::float8 AS at
  FROM ${sources} s WHERE s.id = ${sourceId}`);
