import { type SQL, sql } from 'drizzle-orm';
import { PreparedQuery } from '../../../platform/database/prepared-query.js';
import { marks } from '../../../posts/marks.table.js';
import { posts } from '../../../posts/posts.table.js';
import { readRanges } from '../../../posts/read-ranges.table.js';
import { backfills } from '../../../posts/reading/backfills.table.js';
import { fetchStates } from '../../../sources/fetch-states.table.js';
import { follows } from '../../../sources/follows.table.js';
import { sources } from '../../../sources/sources.table.js';

/** What decides the text of a query. Everything else is a parameter. */
export interface QueryShape {
  order: 'item' | 'published';
  direction: 'asc' | 'desc';
  read: boolean | undefined;
  starred: boolean | undefined;
  scope: 'all' | 'source' | 'folder';
  /** A limit of the time at which posts were found, or published. */
  isTimed: boolean;
}

export interface StreamItem extends Record<string, unknown> {
  itemId: string;
  postId: string;
  /** Time (ms) at which the post became visible to the user. */
  at: number;
  /** Only in the order of publication. */
  publishedAt?: Date;
}

const { placeholder } = sql;
const userId = sql`${placeholder('userId')}::bigint`;
const source = sql`${placeholder('source')}::bigint`;
const folder = sql`${placeholder('folder')}::text`;
const limit = sql`${placeholder('limit')}::int`;
const offset = sql`${placeholder('offset')}::int`;
/** Item ids are greater than the first and at most the second. */
const aboveItem = sql`${placeholder('aboveItem')}::bigint`;
const upToItem = sql`${placeholder('upToItem')}::bigint`;
const horizon = sql`${placeholder('horizon')}::bigint`;
const foundSince = sql`${placeholder('foundSince')}::timestamptz`;
const foundBefore = sql`${placeholder('foundBefore')}::timestamptz`;
const publishedSince = sql`${placeholder('publishedSince')}::timestamptz`;
const publishedBefore = sql`${placeholder('publishedBefore')}::timestamptz`;
const afterAt = sql`${placeholder('afterAt')}::timestamptz`;
const afterId = sql`${placeholder('afterId')}::bigint`;

const SCOPES = {
  all: sql`true`,
  source: sql`f.source_id IN (SELECT ${source} UNION ALL SELECT id FROM ${fetchStates} WHERE moved_to = ${source})`,
  folder: sql`f.folder IS NOT DISTINCT FROM ${folder}`,
};

const itemIdOf = (post: SQL) => sql`coalesce(f.item_ids[array_position(f.post_ids, ${post})], ${post})`;
const markOf = (post: SQL, condition: SQL) =>
  sql`(SELECT FROM ${marks} m WHERE m.user_id = ${userId} AND m.post_id = ${post} AND ${condition})`;

const queries = new Map<string, PreparedQuery<StreamItem>>();

export function streamQuery(shape: QueryShape): PreparedQuery<StreamItem> {
  const key = JSON.stringify(Object.values(shape).map(String));
  const known = queries.get(key);
  if (known) return known;
  const made = new PreparedQuery<StreamItem>(textOf(shape));
  queries.set(key, made);
  return made;
}

function textOf(shape: QueryShape): SQL {
  if (shape.starred) return starredItems(shape);
  return shape.order === 'item' ? byItem(shape) : byPublication(shape);
}

/** A post is stored within an hour of being found, so older ones than that are not looked at for newer times. */
const followed = ({ scope, isTimed, read }: QueryShape) => sql`
  SELECT f.source_id, f.read_up_to, s.last_post_id, coalesce(r.ids, '{}') + '{}' AS read_ids,
    b.item_ids, b.post_ids, b.first_item_id, b.last_item_id, b.created_at AS backfilled_at, ${
      isTimed
        ? sql`coalesce((
      SELECT p.id FROM ${posts} p
      WHERE p.source_id = f.source_id AND p.removed_at IS NULL AND p.found_at < ${foundSince} - interval '1 hour'
      ORDER BY p.id DESC LIMIT 1), 0)`
        : sql`0::bigint`
    } AS above_id
  FROM ${follows} f JOIN ${sources} s ON s.id = f.source_id
  LEFT JOIN ${readRanges} r ON r.user_id = f.user_id AND r.source_id = f.source_id
  LEFT JOIN ${backfills} b ON b.user_id = f.user_id AND b.source_id = f.source_id
  WHERE f.user_id = ${userId} AND ${SCOPES[scope]} ${read === false ? sql`AND ${mayHaveUnread}` : sql``}`;

/** Sources without unread posts are skipped without a look at their posts. */
const mayHaveUnread = sql`(s.last_post_id > f.read_up_to OR f.source_id IN (
  SELECT p.source_id FROM ${marks} m JOIN ${posts} p ON p.id = m.post_id WHERE m.user_id = ${userId} AND m.read = false))`;

/**
 * Ids in the order of items. Posts with item ids of their own are few and come with their follows; of all others the
 * newest n belong to the n sources with the newest ids, which are found through the index alone.
 */
function byItem(shape: QueryShape): SQL {
  const { direction, read, isTimed } = shape;
  const order = sql.raw(direction);
  const own = sql`p.source_id = f.source_id AND p.removed_at IS NULL AND p.id > greatest(${aboveItem}, f.above_id)
    AND p.id <= ${upToItem} AND (f.post_ids IS NULL OR p.id <> ALL (f.post_ids)) AND ${stateOf(shape)}
    AND ${isTimed ? sql`p.found_at >= ${foundSince} AND p.found_at < ${foundBefore} AND ${isPublishedInTime}` : sql`true`}`;
  const edge =
    direction === 'desc'
      ? sql`CASE WHEN count(*) >= ${limit} + ${offset} THEN min(head) ELSE 0 END`
      : sql`CASE WHEN count(*) >= ${limit} + ${offset} THEN max(head) ELSE ${upToItem} END`;
  const isWithin = direction === 'desc' ? sql`p.id >= (SELECT id FROM edge)` : sql`p.id <= (SELECT id FROM edge)`;
  const marked = sql`
    UNION ALL
    SELECT p.id, ${itemIdOf(sql`p.id`)}, greatest(p.found_at, ${backfilledAt})
    FROM ${marks} m JOIN ${posts} p ON p.id = m.post_id AND p.removed_at IS NULL JOIN followed f ON f.source_id = p.source_id
    WHERE m.user_id = ${userId} AND m.read = false AND ${itemIdOf(sql`p.id`)} > ${aboveItem}
      AND ${itemIdOf(sql`p.id`)} <= ${upToItem} AND ${isStarredAsWanted(shape)}
      AND ${isTimed ? inTime(sql`greatest(p.found_at, ${backfilledAt})`) : sql`true`}`;
  return sql`
    WITH followed AS MATERIALIZED (${followed(shape)}), heads AS MATERIALIZED (
      SELECT f.*, head.id AS head FROM followed f CROSS JOIN LATERAL (
        SELECT p.id FROM ${posts} p WHERE ${own} ORDER BY p.id ${order} LIMIT 1) head
      WHERE f.last_post_id > ${aboveItem} ${read === false ? sql`AND f.last_post_id > f.read_up_to` : sql``}
      ORDER BY head.id ${order} LIMIT ${limit} + ${offset}
    ), edge AS MATERIALIZED (SELECT ${edge} AS id FROM heads), item AS (
      SELECT p.id AS post_id, p.id AS item_id, p.found_at AS at FROM heads f CROSS JOIN LATERAL (
        SELECT p.id, p.found_at FROM ${posts} p WHERE ${own} AND ${isWithin}
        ORDER BY p.id ${order} LIMIT ${limit} + ${offset}) p
      UNION ALL
      (SELECT p.id, b.item_id, p.at FROM (${backfilled(shape)}) AS b CROSS JOIN LATERAL (
        SELECT p.id, greatest(p.found_at, b.backfilled_at) AS at FROM ${posts} p
        WHERE p.id = b.post_id AND p.removed_at IS NULL AND ${backfilledState(shape)}
          AND ${isTimed ? inTime(sql`greatest(p.found_at, b.backfilled_at)`) : sql`true`} LIMIT 1) p
      ORDER BY b.item_id ${order} LIMIT ${limit} + ${offset})
      ${read === false ? marked : sql``}
    ), shown AS (SELECT * FROM item ORDER BY item_id ${order} LIMIT ${limit} OFFSET ${offset})
    SELECT item_id AS "itemId", post_id AS "postId", (extract(epoch FROM at) * 1000)::float8 AS at
    FROM shown ORDER BY item_id ${order}`;
}

const isPublishedInTime = sql`(${publishedSince} = '-infinity' OR p.published_at >= ${publishedSince})
  AND (${publishedBefore} = 'infinity' OR p.published_at < ${publishedBefore})`;
const inTime = (at: SQL) => sql`${at} >= ${foundSince} AND ${at} < ${foundBefore} AND ${isPublishedInTime}`;
const backfilledAt = sql`CASE WHEN p.id = ANY (f.post_ids) THEN f.backfilled_at END`;

/** Read posts are skipped before they are looked up, where no mark is needed for that. */
const backfilled = ({ direction, read }: QueryShape) => sql`
  SELECT entry.item_id, entry.post_id, f.read_up_to, f.backfilled_at
  FROM followed f CROSS JOIN LATERAL unnest(f.item_ids, f.post_ids) AS entry (item_id, post_id)
  WHERE f.last_item_id > ${aboveItem} AND f.first_item_id <= ${upToItem}
    AND entry.item_id > ${aboveItem} AND entry.item_id <= ${upToItem}
    ${read === false ? sql`AND entry.post_id > f.read_up_to AND NOT entry.post_id <@ f.read_ids` : sql``}
  ORDER BY entry.item_id ${sql.raw(direction)}`;

function stateOf(shape: QueryShape): SQL {
  const unmarked = sql`NOT EXISTS ${markOf(sql`p.id`, sql`m.read IS NOT NULL`)}`;
  if (shape.read === false)
    return sql`p.id > f.read_up_to AND NOT p.id <@ f.read_ids AND ${unmarked} AND ${isStarredAsWanted(shape)}`;
  return sql`${shape.read ? isRead(sql`f.read_up_to`) : sql`true`} AND ${isStarredAsWanted(shape)}`;
}

function backfilledState(shape: QueryShape): SQL {
  const unmarked = sql`NOT EXISTS ${markOf(sql`p.id`, sql`m.read IS NOT NULL`)}`;
  if (shape.read === false) return sql`${unmarked} AND ${isStarredAsWanted(shape)}`;
  return sql`${shape.read ? isRead(sql`b.read_up_to`) : sql`true`} AND ${isStarredAsWanted(shape)}`;
}

const isRead = (readUpTo: SQL) =>
  sql`coalesce((SELECT m.read FROM ${marks} m WHERE m.user_id = ${userId} AND m.post_id = p.id), p.id <= ${readUpTo}, false)`;
const isStarredAsWanted = ({ starred }: QueryShape) =>
  starred === false ? sql`NOT EXISTS ${markOf(sql`p.id`, sql`m.starred_at IS NOT NULL`)}` : sql`true`;

/** Stars are few, and they outlast a follow. */
function starredItems({ order, direction, read, scope }: QueryShape): SQL {
  const by = sql.raw(direction);
  const key = order === 'item' ? sql`item_id ${by}` : sql`published_at ${by}, post_id ${by}`;
  const isAfter = order === 'item' ? sql`true` : afterPosition(direction, sql`p.id`);
  return sql`
    WITH item AS (
      SELECT p.id AS post_id, ${itemIdOf(sql`p.id`)} AS item_id, p.published_at,
        greatest(p.found_at, ${backfilledAt}) AS at
      FROM ${marks} m JOIN ${posts} p ON p.id = m.post_id AND p.removed_at IS NULL
      LEFT JOIN ${follows} AS follow ON follow.user_id = m.user_id AND follow.source_id = p.source_id
      LEFT JOIN LATERAL (
        SELECT p.source_id, follow.folder, b.item_ids, b.post_ids, b.created_at AS backfilled_at
        FROM (SELECT) AS one LEFT JOIN ${backfills} b ON b.user_id = m.user_id AND b.source_id = p.source_id
      ) AS f ON true
      WHERE m.user_id = ${userId} AND m.starred_at IS NOT NULL AND ${SCOPES[scope]}
        ${scope === 'all' ? sql`` : sql`AND follow.user_id IS NOT NULL`}
        ${read === undefined ? sql`` : sql`AND coalesce(m.read, p.id <= follow.read_up_to, false) = ${sql.raw(String(read))}`}
        AND ${isAfter} AND ${isPublishedInTime}
    )
    SELECT item_id AS "itemId", post_id AS "postId", (extract(epoch FROM at) * 1000)::float8 AS at,
      published_at AS "publishedAt"
    FROM item WHERE item_id > ${aboveItem} AND item_id <= ${upToItem} AND at >= ${foundSince} AND at < ${foundBefore}
    ORDER BY ${key} LIMIT ${limit} OFFSET ${offset}`;
}

const afterPosition = (direction: 'asc' | 'desc', id: SQL) =>
  sql`(p.published_at, ${id}) ${sql.raw(direction === 'desc' ? '<' : '>')} (${afterAt}, ${afterId})`;

/** The newest n posts belong to the n sources with the newest posts. Ties are included, because ids decide them. */
function byPublication(shape: QueryShape): SQL {
  const { direction, read, isTimed } = shape;
  const order = sql.raw(direction);
  const isAsWanted = {
    undefined: sql`true`,
    true: isRead(sql`f.read_up_to`),
    false: sql`NOT p.id <@ f.read_ids AND NOT ${isRead(sql`f.read_up_to`)}`,
  }[String(read)];
  const own = sql`p.source_id = f.source_id AND p.removed_at IS NULL AND p.id <= ${horizon}
    AND ${afterPosition(direction, sql`p.id`)} AND ${isAsWanted} AND ${isStarredAsWanted(shape)}
    AND ${itemIdOf(sql`p.id`)} > ${aboveItem} AND ${itemIdOf(sql`p.id`)} <= ${upToItem}
    AND ${isTimed ? inTime(sql`greatest(p.found_at, ${backfilledAt})`) : sql`true`}`;
  const sorted = sql`ORDER BY p.published_at ${order}, p.id ${order}`;
  const [edge, isWithin] =
    direction === 'desc'
      ? [sql`min(head) ELSE '-infinity'`, sql`p.published_at >= (SELECT at FROM edge)`]
      : [sql`max(head) ELSE 'infinity'`, sql`p.published_at <= (SELECT at FROM edge)`];
  return sql`
    WITH followed AS MATERIALIZED (${followed(shape)}), heads AS MATERIALIZED (
      SELECT f.*, head.at AS head FROM followed f CROSS JOIN LATERAL (
        SELECT p.published_at AS at FROM ${posts} p WHERE ${own} ${sorted} LIMIT 1) head
      ORDER BY head.at ${order} FETCH FIRST (${limit} + ${offset}) ROWS WITH TIES
    ), edge AS MATERIALIZED (
      SELECT CASE WHEN count(*) >= ${limit} + ${offset} THEN ${edge} END AS at FROM heads
    )
    SELECT ${itemIdOf(sql`p.id`)} AS "itemId", p.id AS "postId", p.published_at AS "publishedAt",
      (extract(epoch FROM greatest(p.found_at, ${backfilledAt})) * 1000)::float8 AS at
    FROM heads f CROSS JOIN LATERAL (
      SELECT p.id, p.found_at, p.published_at FROM ${posts} p WHERE ${own} AND ${isWithin} ${sorted}
      LIMIT ${limit} + ${offset}) p
    ${sorted} LIMIT ${limit} OFFSET ${offset}`;
}
