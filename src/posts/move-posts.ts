import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../platform/database/database.js';
import type { Events } from '../platform/events/events.js';
import { follows } from '../sources/follows.table.js';
import { marks } from './marks.table.js';
import { posts } from './posts.table.js';
import { holdSources, summarise } from './source-summary.js';

/**
 * Gives the posts of one source to another, while everybody still follows what they did. Where both have a post, the
 * other's stays and takes over the marks.
 */
export async function movePosts(db: Db, events: Events, { from, to }: { from: string; to: string }): Promise<void> {
  const held = await holdSources(db, [from, to]);
  if (!held.has(from) || !held.has(to)) throw new Error(`source ${from} or ${to} is not there`);
  await holdReaders(db, { from, to });
  const doubles = sql`
    SELECT leaving.id AS leaving_id, staying.id AS staying_id
    FROM ${posts} AS leaving JOIN ${posts} AS staying
      ON staying.source_id = ${to} AND md5(staying.external_id) = md5(leaving.external_id)
    WHERE leaving.source_id = ${from}`;
  // A starred post is never lost to a double that was removed.
  await db.execute(sql`
    DELETE FROM ${posts} USING (${doubles} AND staying.removed_at IS NOT NULL AND leaving.removed_at IS NULL
      AND EXISTS (SELECT FROM ${marks} WHERE post_id = leaving.id AND starred_at IS NOT NULL)) AS double
    WHERE ${posts.id} = staying_id`);
  await markForBoth(db, { from, to });
  await raiseReadUpTo(db, { from, doubles });
  await db.execute(sql`
    INSERT INTO ${marks} AS kept (user_id, post_id, read, starred_at)
    SELECT user_id, staying_id, read, starred_at
    FROM (${doubles}) AS double JOIN ${marks} AS given ON given.post_id = leaving_id
    ON CONFLICT (user_id, post_id) DO UPDATE SET
      read = coalesce(kept.read OR excluded.read, kept.read, excluded.read),
      starred_at = least(kept.starred_at, excluded.starred_at)`);
  await db.execute(sql`DELETE FROM ${posts} USING (${doubles}) AS double WHERE ${posts.id} = leaving_id`);
  await db.execute(sql`UPDATE ${posts} SET source_id = ${to} WHERE source_id = ${from}`);
  for (const sourceId of [from, to]) await summarise(db, events, { sourceId, taken: true });
}

/** Marks are written after this. Readers take rows in the same order: follows by source, one post, marks. */
async function holdReaders(db: Db, { from, to }: { from: string; to: string }): Promise<void> {
  await db.execute(sql`
    SELECT FROM ${follows} WHERE source_id IN (${from}, ${to}) ORDER BY user_id, source_id FOR UPDATE`);
  await db.execute(sql`SELECT FROM ${posts} WHERE source_id = ${from} FOR UPDATE`);
}

/**
 * A follower's `readUpTo` is going to speak about the posts that stay in place of theirs: it is raised to those that they
 * have read. Posts that both sources have were found at about the same time, so that it covers no others as a rule.
 */
async function raiseReadUpTo(db: Db, { from, doubles }: { from: string; doubles: SQL }): Promise<void> {
  await db.execute(sql`
    UPDATE ${follows} SET read_up_to = raised.into FROM (
      SELECT until.id, max(staying_id) AS into
      FROM (SELECT DISTINCT read_up_to AS id FROM ${follows} WHERE source_id = ${from}) AS until
      JOIN (${doubles}) AS double ON leaving_id <= until.id GROUP BY until.id
    ) AS raised
    WHERE source_id = ${from} AND read_up_to = raised.id AND raised.into > raised.id`);
}

/** For who follows both sources the other's `readUpTo` will count. Where it says another thing, a mark says what holds. */
async function markForBoth(db: Db, { from, to }: { from: string; to: string }): Promise<void> {
  await db.execute(sql`
    INSERT INTO ${marks} AS kept (user_id, post_id, read)
    SELECT follow.user_id, coalesce(staying.id, leaving.id), leaving.id <= follow.read_up_to
    FROM ${follows} AS follow
    JOIN ${follows} AS other ON other.source_id = ${to} AND other.user_id = follow.user_id
    JOIN ${posts} AS leaving ON leaving.source_id = ${from} AND leaving.removed_at IS NULL
    LEFT JOIN ${posts} AS staying ON staying.source_id = ${to} AND md5(staying.external_id) = md5(leaving.external_id)
    WHERE follow.source_id = ${from} AND staying.removed_at IS NULL
      AND (leaving.id <= follow.read_up_to) <> (coalesce(staying.id, leaving.id) <= other.read_up_to)
      -- What somebody has read in either source is read.
      AND (leaving.id <= follow.read_up_to OR staying.id IS NULL)
      AND NOT EXISTS (SELECT FROM ${marks} WHERE user_id = follow.user_id AND post_id = leaving.id AND read IS NOT NULL)
    ON CONFLICT (user_id, post_id) DO UPDATE SET read = coalesce(kept.read, excluded.read)`);
}
