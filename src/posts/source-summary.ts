import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../platform/database/database.js';
import { PreparedQuery } from '../platform/database/prepared-query.js';
import { Events } from '../platform/events/events.js';
import { sources } from '../sources/sources.table.js';
import { posts } from './posts.table.js';
import { MAX_IDS, postsChanged } from './posts-changed.event.js';

/** Lock sources before their posts are changed, so that concurrent changes wait for each other. */
export async function holdSources(db: Db, ids: string[]): Promise<Set<string>> {
  const { rows } = await db.execute<{ id: string }>(sql`
    SELECT id FROM ${sources} WHERE id = ANY(${sql.param(ids)}::bigint[]) ORDER BY id FOR NO KEY UPDATE`);
  return new Set(rows.map(({ id }) => id));
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
const afterRemoving = summarising(sql`(SELECT max(id) ${KEPT})`);

export async function summariseAdded(
  db: Db,
  events: Events,
  { sourceId, added }: { sourceId: string; added: string[] },
): Promise<void> {
  const chunks = Array.from({ length: Math.max(1, Math.ceil(added.length / MAX_IDS)) }, (_, at) =>
    added.slice(at * MAX_IDS, (at + 1) * MAX_IDS),
  );
  const values = { sourceId, newPostIds: chunks[0], lastId: added.at(-1) ?? null };
  const revision = revisionOf(await afterAdding.run(db.$client, values), sourceId);
  if (chunks.length === 1) return;
  const more = chunks.slice(1).map((newPostIds) => ({ sourceId, revision, newPostIds }));
  await events.publishAll(db, postsChanged, more);
}

/** After a removal, the highest id may have changed. */
export async function summariseRemoved(db: Db, sourceId: string): Promise<void> {
  revisionOf(await afterRemoving.run(db.$client, { sourceId, newPostIds: [] }), sourceId);
}

function revisionOf([source]: { revision: number }[], sourceId: string): number {
  if (!source) throw new Error(`Source ${sourceId} does not exist.`);
  return source.revision;
}
