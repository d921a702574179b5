import { sql } from 'drizzle-orm';
import type { Db } from '../platform/database/database.js';
import { fetchStates } from '../sources/fetch-states.table.js';
import { follows } from '../sources/follows.table.js';
import { marks } from './marks.table.js';
import { posts } from './posts.table.js';
import { holdSources, summariseRemoved } from './source-summary.js';
import { emptyPosts } from './write-posts.js';

interface Doubles {
  sourceIds: string[];
  oldIds: string[];
  newIds: string[];
}

/**
 * Hides duplicates of posts that both a source and a source moved to it have published. Posts with the same id but
 * another title are different posts and stay visible. The source's own post inherits stars and read marks.
 */
export async function hideDoubles(db: Db, sourceId: string, now: Date) {
  const { rows: moved } = await db.execute<{ id: string }>(
    sql`SELECT id FROM ${fetchStates} WHERE moved_to = ${sourceId}`,
  );
  if (!moved.length) return;
  const held = await holdSources(db, [...moved.map(({ id }) => id), sourceId]);
  if (!held.has(sourceId)) return;
  const doubles = await holdDoubles(db, sourceId);
  if (!doubles.oldIds.length) return;
  await raiseReadUpTo(db, sourceId, doubles);
  await takeOverMarks(db, doubles);
  await emptyPosts(db, doubles.oldIds, now);
  for (const id of new Set(doubles.sourceIds)) await summariseRemoved(db, id);
}

/** Locks the old posts. Requests that mark one of them wait until it is emptied and then do not find it. */
async function holdDoubles(db: Db, sourceId: string): Promise<Doubles> {
  const { rows } = await db.execute<{ sourceId: string; oldId: string; newId: string }>(sql`
    SELECT old.source_id AS "sourceId", old.id AS "oldId", own.id AS "newId"
    FROM ${fetchStates} AS state
    JOIN ${posts} AS old ON old.source_id = state.id AND old.removed_at IS NULL
    JOIN ${posts} AS own ON own.source_id = state.moved_to AND md5(own.external_id) = md5(old.external_id)
    WHERE state.moved_to = ${sourceId} AND own.removed_at IS NULL
      AND coalesce(own.title, own.safe_content) = coalesce(old.title, old.safe_content)
    ORDER BY old.id FOR UPDATE OF old`);
  return {
    sourceIds: rows.map((row) => row.sourceId),
    oldIds: rows.map((row) => row.oldId),
    newIds: rows.map((row) => row.newId),
  };
}

const rowsOf = ({ sourceIds, oldIds, newIds }: Doubles) => sql`unnest(
  ${sql.param(sourceIds)}::bigint[], ${sql.param(oldIds)}::bigint[], ${sql.param(newIds)}::bigint[]
) AS double (source_id, old_id, new_id)`;

/**
 * Followers of both sources from before the move have read positions for each. Posts were stored in order of
 * publication, so others that the position covers are older than those already read.
 */
async function raiseReadUpTo(db: Db, sourceId: string, doubles: Doubles): Promise<void> {
  await db.execute(sql`
    UPDATE ${follows} AS follow SET read_up_to = raised.up_to
    FROM ${follows} AS before JOIN ${fetchStates} AS state ON state.id = before.source_id
    JOIN (
      SELECT until.source_id, until.id, max(new_id) AS up_to
      FROM (
        SELECT DISTINCT source_id, read_up_to AS id FROM ${follows}
        WHERE source_id = ANY(${sql.param([...new Set(doubles.sourceIds)])}::bigint[])
      ) AS until
      JOIN ${rowsOf(doubles)} ON double.source_id = until.source_id AND old_id <= until.id
      GROUP BY until.source_id, until.id
    ) AS raised ON raised.source_id = before.source_id AND raised.id = before.read_up_to
    WHERE follow.source_id = ${sourceId} AND follow.user_id = before.user_id AND follow.created_at >= state.moved_at
      AND follow.read_up_to < raised.up_to`);
}

async function takeOverMarks(db: Db, doubles: Doubles): Promise<void> {
  await db.execute(sql`
    INSERT INTO ${marks} AS kept (user_id, post_id, read, starred_at)
    SELECT user_id, new_id, bool_or(read), min(starred_at)
    FROM ${rowsOf(doubles)} JOIN ${marks} AS given ON given.post_id = old_id
    GROUP BY user_id, new_id ORDER BY user_id, new_id
    ON CONFLICT (user_id, post_id) DO UPDATE SET
      read = coalesce(kept.read OR excluded.read, kept.read, excluded.read),
      starred_at = least(kept.starred_at, excluded.starred_at)`);
}
