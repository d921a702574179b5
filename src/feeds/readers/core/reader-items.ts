import { Injectable } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { Database } from '../../../platform/database/database.js';
import { PreparedQuery } from '../../../platform/database/prepared-query.js';
import { MarksStore } from '../../../posts/marks.store.js';
import { marks } from '../../../posts/marks.table.js';
import type { Author, Media } from '../../../posts/post.js';
import { posts } from '../../../posts/posts.table.js';
import { backfills } from '../../../posts/reading/backfills.table.js';
import { fetchStates } from '../../../sources/fetch-states.table.js';
import { follows } from '../../../sources/follows.table.js';
import { sources } from '../../../sources/sources.table.js';

/** An item as a user sees it. Ids are decimal numbers below 2^53, as text. */
export interface ReaderItem {
  itemId: string;
  postId: string;
  /** The source that the user follows, where a moved source's posts are listed as well. */
  sourceId: string;
  sourceType: string;
  sourceExternalId: string;
  sourceTitle: string | null;
  sourceSiteUrl: string | null;
  folder: string | null;
  externalId: string;
  title: string | null;
  url: string | null;
  /** Safe HTML. */
  content: string;
  author: Author;
  media: Media[];
  publishedAt: Date;
  /** When it became visible to the user. */
  foundAt: Date;
  read: boolean;
  starred: boolean;
}

interface ResolvedItem extends Record<string, unknown> {
  itemId: string;
  postId: string;
}

const { placeholder } = sql;
const userId = sql`${placeholder('userId')}::bigint`;
const ids = sql`${placeholder('ids')}::bigint[]`;
const visible = sql`(
  EXISTS (SELECT FROM ${follows} f WHERE f.user_id = ${userId} AND f.source_id = p.source_id)
  OR EXISTS (SELECT FROM ${marks} m WHERE m.user_id = ${userId} AND m.post_id = p.id AND m.starred_at IS NOT NULL))`;

/** An item id of its own is the id of no post, so only ids without a post are looked for among them. */
const resolving = new PreparedQuery<ResolvedItem>(sql`
  WITH wanted AS MATERIALIZED (SELECT DISTINCT id FROM unnest(${ids}) AS given (id)), own AS MATERIALIZED (
    SELECT p.id, p.source_id FROM wanted JOIN ${posts} p ON p.id = wanted.id WHERE p.removed_at IS NULL
  ), others AS MATERIALIZED (SELECT id FROM wanted EXCEPT SELECT id FROM own)
  SELECT p.id AS "itemId", p.id AS "postId" FROM own p WHERE ${visible}
  UNION ALL
  SELECT entry.item_id, p.id FROM ${backfills} b
  CROSS JOIN LATERAL unnest(b.item_ids, b.post_ids) AS entry (item_id, post_id)
  JOIN others ON others.id = entry.item_id JOIN ${posts} p ON p.id = entry.post_id AND p.removed_at IS NULL
  WHERE b.user_id = ${userId} AND b.last_item_id >= (SELECT min(id) FROM others)
    AND b.first_item_id <= (SELECT max(id) FROM others) AND ${visible}`);

const finding = new PreparedQuery<ReaderItem & Record<string, unknown>>(sql`
  SELECT coalesce(b.item_ids[array_position(b.post_ids, p.id)], p.id) AS "itemId", p.id AS "postId",
    target.id AS "sourceId", target.type AS "sourceType", target.external_id AS "sourceExternalId",
    coalesce(named.title, f.title, target.title, s.title) AS "sourceTitle",
    coalesce(target.site_url, s.site_url) AS "sourceSiteUrl", coalesce(named.folder, f.folder) AS folder,
    p.external_id AS "externalId", p.title, p.url, p.safe_content AS content, p.author, p.media,
    p.published_at AS "publishedAt",
    greatest(p.found_at, CASE WHEN p.id = ANY (b.post_ids) THEN b.created_at END) AS "foundAt",
    coalesce(m.read, p.id <= f.read_up_to, false) AS read, m.starred_at IS NOT NULL AS starred
  FROM unnest(${ids}) WITH ORDINALITY AS wanted (id, place)
  JOIN ${posts} p ON p.id = wanted.id AND p.removed_at IS NULL
  JOIN ${sources} s ON s.id = p.source_id JOIN ${fetchStates} AS state ON state.id = p.source_id
  LEFT JOIN ${follows} f ON f.user_id = ${userId} AND f.source_id = p.source_id
  LEFT JOIN ${follows} AS named ON named.user_id = ${userId} AND named.source_id = state.moved_to
  JOIN ${sources} AS target ON target.id = coalesce(named.source_id, p.source_id)
  LEFT JOIN ${backfills} b ON b.user_id = ${userId} AND b.source_id = p.source_id
  LEFT JOIN ${marks} m ON m.user_id = ${userId} AND m.post_id = p.id
  WHERE f.user_id IS NOT NULL OR m.starred_at IS NOT NULL
  ORDER BY wanted.place`);

/** Everything here leaves out posts that the user may not see: those of sources not followed, unless they are starred. */
@Injectable()
export class ReaderItems {
  constructor(
    private readonly database: Database,
    private readonly marks: MarksStore,
  ) {}

  /** The ids of their posts by the given item ids. The own id of a post is accepted as well. */
  async resolve(userId: string, itemIds: string[]): Promise<Map<string, string>> {
    if (!itemIds.length) return new Map();
    const rows = await resolving.run(this.database.pool, { userId, ids: itemIds });
    return new Map(rows.map(({ itemId, postId }) => [itemId, postId]));
  }

  /** In the given order of their posts. */
  async find(userId: string, postIds: string[]): Promise<ReaderItem[]> {
    return postIds.length ? finding.run(this.database.pool, { userId, ids: postIds }) : [];
  }

  /** In the given order. An item that is named twice comes once. */
  async findItems(userId: string, itemIds: string[]): Promise<ReaderItem[]> {
    const resolved = await this.resolve(userId, itemIds);
    return this.find(userId, postsOf(itemIds, resolved));
  }

  /** Returns the number of items that the user can see. */
  async markRead(userId: string, itemIds: string[], read: boolean): Promise<number> {
    const postIds = postsOf(itemIds, await this.resolve(userId, itemIds));
    return postIds.length ? (await this.marks.setRead(userId, postIds, read)).length : 0;
  }

  async star(userId: string, itemIds: string[], starred: boolean): Promise<number> {
    const postIds = postsOf(itemIds, await this.resolve(userId, itemIds));
    return postIds.length ? (await this.marks.setStarred(userId, postIds, starred)).length : 0;
  }
}

const postsOf = (itemIds: string[], resolved: Map<string, string>) => [
  ...new Set(itemIds.flatMap((id) => resolved.get(id) ?? [])),
];
