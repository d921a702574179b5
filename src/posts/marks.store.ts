import { Injectable } from '@nestjs/common';
import { and, eq, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { Database } from '../platform/database/database.js';
import { Events } from '../platform/events/events.js';
import { Clock } from '../platform/time/clock.js';
import { follows } from '../sources/follows.table.js';
import { sources } from '../sources/sources.table.js';
import { type FeedItemRow, feedItemColumns } from './feed-item.js';
import { marks } from './marks.table.js';
import { posts } from './posts.table.js';
import { readRanges } from './read-ranges.table.js';
import { readingChanged } from './reading/reading-changed.event.js';
import { ReadingChanges } from './reading/reading-changes.js';

interface Marked {
  id: string;
  read: boolean;
  starred: boolean;
}

/** Users may mark posts of sources they follow and posts they have starred: stars outlast a follow. */
@Injectable()
export class MarksStore {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly changes: ReadingChanges,
  ) {}

  async find(userId: string, postId: string): Promise<FeedItemRow | undefined> {
    const [row] = await this.database.db
      .select(feedItemColumns)
      .from(posts)
      .innerJoin(sources, eq(sources.id, posts.sourceId))
      .leftJoin(follows, and(eq(follows.sourceId, posts.sourceId), eq(follows.userId, userId)))
      .leftJoin(marks, and(eq(marks.postId, posts.id), eq(marks.userId, userId)))
      .where(
        and(eq(posts.id, postId), isNull(posts.removedAt), or(eq(follows.userId, userId), isNotNull(marks.starredAt))),
      );
    return row;
  }

  /**
   * Returns the posts that this user can see. They are locked, so that they are not removed meanwhile, and the marks are
   * locked before the ranges, so that concurrent calls change both in the same order.
   */
  async setRead(userId: string, postIds: string[], read: boolean): Promise<Marked[]> {
    const { rows } = await this.database.db.execute<Marked & Record<string, unknown>>(sql`
      WITH post AS MATERIALIZED (
        SELECT id, source_id FROM ${posts} WHERE ${mayMark(userId, postIds)} ORDER BY id FOR KEY SHARE OF ${posts}
      ), marked AS (
        INSERT INTO ${marks} AS mark (user_id, post_id, read) SELECT ${userId}::bigint, id, ${read}::boolean FROM post ORDER BY id
        ON CONFLICT (user_id, post_id) DO UPDATE SET read = excluded.read
        RETURNING post_id AS id, read, starred_at IS NOT NULL AS starred
      ), range AS (
        SELECT source_id, range_agg(${withPrevious}) AS ids FROM post JOIN marked USING (id) GROUP BY source_id ORDER BY source_id
      ), ranged AS (
        INSERT INTO ${readRanges} AS kept (user_id, source_id, ids)
        SELECT ${userId}::bigint, source_id, ids FROM range WHERE ${read}
        ON CONFLICT (user_id, source_id) DO UPDATE SET ids = (kept.ids + excluded.ids) * ${stored}
      ), split AS (
        UPDATE ${readRanges} AS kept SET ids = kept.ids - range.ids FROM range
        WHERE kept.user_id = ${userId} AND kept.source_id = range.source_id AND NOT ${read}
      )
      SELECT id, read, starred, ${notified(userId)} FROM marked`);
    return this.marked(userId, rows);
  }

  /** Starring again keeps the first time. The posts are locked, so that they are not removed as unstarred meanwhile. */
  async setStarred(userId: string, postIds: string[], starred: boolean): Promise<Marked[]> {
    const at = starred ? this.clock.now().toISOString() : null;
    const { rows } = await this.database.db.execute<Marked & Record<string, unknown>>(sql`
      WITH post AS MATERIALIZED (
        SELECT id FROM ${posts} WHERE ${mayMark(userId, postIds)} ORDER BY id FOR SHARE OF ${posts}
      )
      INSERT INTO ${marks} AS mark (user_id, post_id, starred_at)
      SELECT ${userId}::bigint, id, ${at}::timestamptz FROM post ORDER BY id
      ON CONFLICT (user_id, post_id) DO UPDATE SET
        starred_at = CASE WHEN ${starred}::boolean THEN coalesce(mark.starred_at, excluded.starred_at) END
      RETURNING post_id AS id, starred_at IS NOT NULL AS starred, ${notified(userId)},
        coalesce(read, post_id <= (
          SELECT read_up_to FROM ${follows} JOIN ${posts} AS post ON post.source_id = ${follows.sourceId}
          WHERE post.id = post_id AND ${follows.userId} = ${userId}), false) AS read`);
    return this.marked(userId, rows);
  }

  private marked(userId: string, rows: Marked[]): Marked[] {
    if (rows.length) this.changes.changed(userId);
    return rows.map(({ id, read, starred }) => ({ id, read, starred }));
  }
}

/** PostgreSQL sends equal notifications of a transaction once. */
const notified = (userId: string) =>
  Events.notifying(readingChanged, sql`jsonb_build_object('userId', ${userId}::text)`);

const mayMark = (
  userId: string,
  postIds: string[],
) => sql`${posts.id} = ANY(${sql.param(postIds)}::bigint[]) AND ${posts.removedAt} IS NULL AND (
  EXISTS (SELECT FROM ${follows} WHERE ${follows.userId} = ${userId} AND ${follows.sourceId} = ${posts.sourceId})
  OR EXISTS (SELECT FROM ${marks} WHERE ${marks.userId} = ${userId} AND ${marks.postId} = ${posts.id} AND ${marks.starredAt} IS NOT NULL))`;

/**
 * The ids after the source's previous post up to this one. No later post gets one of them, because the posts of a source
 * are stored one transaction after the other.
 */
const withPrevious = sql`int8range(1 + coalesce((
  SELECT max(previous.id) FROM ${posts} AS previous
  WHERE previous.source_id = post.source_id AND previous.removed_at IS NULL AND previous.id < post.id), 0), post.id, '[]')`;

/** Leaves out ranges of posts that were removed because of their age. */
const stored = sql`int8multirange(int8range((
  SELECT min(oldest.id) FROM ${posts} AS oldest
  WHERE oldest.source_id = excluded.source_id AND oldest.removed_at IS NULL), NULL))`;
