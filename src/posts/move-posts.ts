import { sql } from 'drizzle-orm';
import type { Db } from '../platform/database/database.js';
import type { Events } from '../platform/events/events.js';
import { marks } from './marks.table.js';
import { posts } from './posts.table.js';
import { holdSources, summarise } from './source-summary.js';

/** Gives the posts of one source to another. Where both have a post, the other's stays and takes over the marks. */
export async function movePosts(db: Db, events: Events, { from, to }: { from: string; to: string }): Promise<void> {
  const held = await holdSources(db, [from, to]);
  if (!held.has(from) || !held.has(to)) throw new Error(`source ${from} or ${to} is not there`);
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
