import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../platform/database/database.js';
import { isAmong } from '../platform/database/planner.js';
import { PreparedQuery } from '../platform/database/prepared-query.js';
import { Events } from '../platform/events/events.js';
import { sources } from '../sources/sources.table.js';
import { posts, unindexedPosts } from './posts.table.js';
import { MAX_IDS, postsChanged } from './posts-changed.event.js';

interface SourceChange {
  sourceId: string;
  /** Ids in ascending order. */
  added: string[];
}

/** Texts of posts from which words for the search are made later. */
interface SearchTexts {
  ids: string[];
  texts: string[];
}

/** Lock sources before their posts are changed, so that concurrent changes wait for each other. */
export async function holdSources(db: Db, ids: string[]): Promise<Set<string>> {
  const { rows } = await db.execute<{ id: string }>(sql`
    SELECT id FROM ${sources} WHERE id = ANY(${sql.param(ids)}::bigint[]) ORDER BY id FOR NO KEY UPDATE`);
  return new Set(rows.map(({ id }) => id));
}

const { placeholder } = sql;
const KEPT = sql`FROM ${posts} WHERE source_id = ${sources}.id AND removed_at IS NULL`;

/** The sources must be held, because they are updated in no particular order. */
const summarise = (lastId: SQL) => sql`
  UPDATE ${sources} SET
    revision = revision + 1,
    last_post_at = (SELECT published_at ${KEPT} ORDER BY published_at DESC, id DESC LIMIT 1),
    last_post_id = ${lastId}
  FROM unnest(${placeholder('ids')}::bigint[], ${placeholder('lastIds')}::bigint[], ${placeholder('newPostIds')}::text[])
    AS news (news_id, news_last_id, new_post_ids)
  WHERE id = news_id AND ${isAmong(placeholder('ids'))}
  RETURNING id, revision, ${Events.notifying(postsChanged, NEWS)}`;
const NEWS = sql`jsonb_build_object('sourceId', id::text, 'revision', revision, 'newPostIds', new_post_ids::jsonb)`;
const afterAdding = new PreparedQuery<{ id: string; revision: number }>(sql`
  WITH queued AS (
    INSERT INTO ${unindexedPosts} AS queued (id, text)
    SELECT * FROM unnest(${placeholder('textIds')}::bigint[], ${placeholder('texts')}::text[])
    ON CONFLICT (id) DO UPDATE SET text = excluded.text
  ) ${summarise(sql`greatest(last_post_id, news_last_id)`)}`);
const afterRemoving = new PreparedQuery<{ id: string; revision: number }>(summarise(sql`(SELECT max(id) ${KEPT})`));

export async function summariseAdded(
  db: Db,
  events: Events,
  { changes, searched }: { changes: SourceChange[]; searched: SearchTexts },
): Promise<void> {
  const values = { ...newsValues(changes), textIds: searched.ids, texts: searched.texts };
  const rows = await afterAdding.run(db.$client, values);
  const revisions = new Map(rows.map(({ id, revision }) => [id, revision]));
  const more = changes.flatMap(({ sourceId, added }) => {
    const revision = revisions.get(sourceId);
    if (revision === undefined) throw new Error(`Source ${sourceId} does not exist.`);
    return chunksOf(added.slice(MAX_IDS)).map((newPostIds) => ({ sourceId, revision, newPostIds }));
  });
  if (more.length) await events.publishAll(db, postsChanged, more);
}

/** After a removal, the highest id may have changed. */
export async function summariseRemoved(db: Db, sourceId: string): Promise<void> {
  const rows = await afterRemoving.run(db.$client, newsValues([{ sourceId, added: [] }]));
  if (!rows.length) throw new Error(`Source ${sourceId} does not exist.`);
}

const newsValues = (changes: SourceChange[]) => ({
  ids: changes.map(({ sourceId }) => sourceId),
  lastIds: changes.map(({ added }) => added.at(-1) ?? null),
  newPostIds: changes.map(({ added }) => JSON.stringify(added.slice(0, MAX_IDS))),
});

const chunksOf = (ids: string[]) =>
  Array.from({ length: Math.ceil(ids.length / MAX_IDS) }, (_, at) => ids.slice(at * MAX_IDS, (at + 1) * MAX_IDS));
