import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../platform/database/database.js';
import { PreparedQuery } from '../platform/database/prepared-query.js';
import { Events } from '../platform/events/events.js';
import { sources } from '../sources/sources.table.js';
import { posts } from './posts.table.js';
import { MAX_IDS, postsChanged } from './posts-changed.event.js';

/**
 * Locks sources before their posts are changed, so that concurrent changes wait for each other. Returns those that
 * exist.
 */
export async function holdSources(db: Db, ids: string[]): Promise<Set<string>> {
  const { rows } = await db.execute<{ id: string }>(sql`
    SELECT id FROM ${sources} WHERE id = ANY(${sql.param(ids)}::bigint[]) ORDER BY id FOR NO KEY UPDATE`);
  return new Set(rows.map(({ id }) => id));
}

interface Change {
  sourceId: string;
  /** Ids in ascending order. */
  added?: string[];
  /** True if posts were removed, so that the highest id may have changed. */
  taken?: boolean;
}

const { placeholder } = sql;
const SOURCE = sql`${placeholder('sourceId')}::bigint`;
const KEPT = sql`FROM ${posts} WHERE source_id = ${SOURCE} AND removed_at IS NULL`;
const NEWS = sql`jsonb_build_object('sourceId', id::text, 'revision', revision,
  'newPostIds', to_jsonb(${placeholder('newPostIds')}::text[]))`;

const summarising = (lastId: SQL) =>
  new PreparedQuery<{ revision: number }>(sql`
    UPDATE ${sources} SET
      revision = revision + 1,
      last_post_at = (SELECT published_at ${KEPT} ORDER BY published_at DESC, id DESC LIMIT 1),
      last_post_id = ${lastId}
    WHERE id = ${SOURCE} RETURNING revision, ${Events.notifying(postsChanged, NEWS)}`);
const afterAdding = summarising(sql`greatest(last_post_id, ${placeholder('lastId')}::bigint)`);
const afterTaking = summarising(sql`(SELECT max(id) ${KEPT})`);

/** Updates the newest post and revision of a source, and publishes the change. */
export async function summarise(
  db: Db,
  events: Events,
  { sourceId, added = [], taken = false }: Change,
): Promise<void> {
  const chunks = Array.from({ length: Math.max(1, Math.ceil(added.length / MAX_IDS)) }, (_, at) =>
    added.slice(at * MAX_IDS, (at + 1) * MAX_IDS),
  );
  const values = { sourceId, newPostIds: chunks[0], lastId: added.at(-1) ?? null };
  const rows = await (taken ? afterTaking : afterAdding).run(db.$client, values);
  const revision = rows[0]?.revision;
  if (revision === undefined) throw new Error(`source ${sourceId} is not there`);
  if (chunks.length === 1) return;
  const more = chunks.slice(1).map((newPostIds) => ({ sourceId, revision, newPostIds }));
  await events.publishAll(db, postsChanged, more);
}
