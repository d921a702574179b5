import { sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.js';
import { marks } from '../marks.table.js';
import { posts } from '../posts.table.js';
import { backfills } from './backfills.table.js';

/** Number of posts that a user who follows an old source finds as new. */
const MAX_BACKFILLED = 50;

interface NewFollower {
  userId: string;
  sourceId: string;
}

/**
 * Call in the transaction of the follows, after it has locked the sources, so that no post is stored between this and the
 * commit. Posts that the user has starred keep their item ids, because they were visible all the time.
 */
export async function addBackfills(db: Db, followers: NewFollower[]): Promise<void> {
  if (!followers.length) return;
  const keptWithout = (column: 'id' | 'post_id') => sql`(
    SELECT array_agg(item.${sql.raw(column)} ORDER BY item.id) FROM unnest(kept.item_ids, kept.post_ids) AS item (id, post_id)
    WHERE item.post_id <> ALL (excluded.post_ids))`;
  await db.execute(sql`
    INSERT INTO ${backfills} AS kept (user_id, source_id, item_ids, post_ids, first_item_id, last_item_id)
    SELECT user_id, source_id, array_agg(item_id ORDER BY item_id), array_agg(id ORDER BY item_id),
      min(item_id), max(item_id)
    FROM (
      SELECT user_id, source_id, id, nextval('posts_id_seq') AS item_id FROM (
        SELECT follower.user_id, follower.source_id, newest.id
        FROM unnest(
          ${sql.param(followers.map(({ userId }) => userId))}::bigint[],
          ${sql.param(followers.map(({ sourceId }) => sourceId))}::bigint[]
        ) AS follower (user_id, source_id)
        CROSS JOIN LATERAL (
          SELECT p.id, p.published_at FROM ${posts} p WHERE p.source_id = follower.source_id AND p.removed_at IS NULL
          ORDER BY p.published_at DESC, p.id DESC LIMIT ${MAX_BACKFILLED}
        ) AS newest
        WHERE NOT EXISTS (
          SELECT FROM ${marks} m
          WHERE m.user_id = follower.user_id AND m.post_id = newest.id AND m.starred_at IS NOT NULL)
        ORDER BY follower.user_id, follower.source_id, newest.published_at, newest.id
      ) AS ordered
    ) AS numbered
    GROUP BY user_id, source_id
    ON CONFLICT (user_id, source_id) DO UPDATE SET
      item_ids = ${keptWithout('id')} || excluded.item_ids, post_ids = ${keptWithout('post_id')} || excluded.post_ids,
      last_item_id = excluded.last_item_id, created_at = excluded.created_at`);
}

/** Starred posts stay visible after an unfollow, so they keep their item ids. */
export async function removeBackfills(db: Db, userId: string, sourceIds: string[]): Promise<void> {
  const given = sql`kept.user_id = ${userId} AND kept.source_id = ANY(${sql.param(sourceIds)}::bigint[])`;
  const starred = (column: 'id' | 'post_id') =>
    sql`array_agg(item.${sql.raw(column)} ORDER BY item.id) FILTER (WHERE m.starred_at IS NOT NULL)`;
  await db.execute(sql`
    WITH starred AS (
      SELECT kept.source_id, ${starred('id')} AS item_ids, ${starred('post_id')} AS post_ids
      FROM ${backfills} AS kept CROSS JOIN LATERAL unnest(kept.item_ids, kept.post_ids) AS item (id, post_id)
      LEFT JOIN ${marks} m ON m.user_id = kept.user_id AND m.post_id = item.post_id
      WHERE ${given} GROUP BY kept.source_id
    ), emptied AS (
      DELETE FROM ${backfills} AS kept USING starred
      WHERE ${given} AND kept.source_id = starred.source_id AND starred.item_ids IS NULL
    )
    UPDATE ${backfills} AS kept SET item_ids = starred.item_ids, post_ids = starred.post_ids
    FROM starred WHERE ${given} AND kept.source_id = starred.source_id AND starred.item_ids IS NOT NULL`);
}
