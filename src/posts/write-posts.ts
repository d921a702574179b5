import { sql } from 'drizzle-orm';
import type { Db } from '../platform/database/database.js';
import { PreparedQuery } from '../platform/database/prepared-query.js';
import { sources } from '../sources/sources.table.js';
import { marks } from './marks.table.js';
import { posts, postWords, unindexedPosts } from './posts.table.js';
import type { PreparedPosts } from './prepared-posts.js';

export interface WrittenPost extends Record<string, unknown> {
  id: string;
  sourceId: string;
  externalId: string;
  added: boolean;
}

const { placeholder } = sql;
const texts = (name: string) => sql`${placeholder(name)}::text[]`;

const upserting = new PreparedQuery<WrittenPost>(sql`
  WITH held AS MATERIALIZED (
    SELECT id AS held_id FROM ${sources} WHERE id = ANY(${placeholder('heldIds')}::bigint[]) ORDER BY id FOR NO KEY UPDATE
  )
  INSERT INTO ${posts} AS kept (source_id, external_id, url, title, content, safe_content, author, media, metrics,
    published_at, dated, found_at, content_hash)
  SELECT source_id, external_id, url, title, content, safe_content, author::jsonb, media::jsonb, metrics::jsonb,
    published_at::timestamptz, dated, found_at::timestamptz, content_hash
  FROM unnest(
    ${placeholder('sourceIds')}::bigint[], ${texts('externalIds')}, ${texts('urls')}, ${texts('titles')}, ${texts('contents')},
    ${texts('safeContents')}, ${texts('authors')}, ${texts('media')}, ${texts('metrics')}, ${texts('publishedAt')},
    ${placeholder('dated')}::boolean[], ${texts('foundAt')}, ${texts('contentHashes')}
  ) WITH ORDINALITY AS found (source_id, external_id, url, title, content, safe_content, author, media, metrics,
    published_at, dated, found_at, content_hash, place)
  WHERE source_id IN (SELECT held_id FROM held)
  ORDER BY place
  ON CONFLICT (source_id, md5(external_id)) DO UPDATE SET
    url = excluded.url, title = excluded.title, content = excluded.content, safe_content = excluded.safe_content,
    author = excluded.author, media = excluded.media, metrics = excluded.metrics,
    published_at = least(kept.published_at, excluded.published_at),
    dated = CASE WHEN excluded.published_at < kept.published_at THEN excluded.dated ELSE kept.dated END,
    content_hash = excluded.content_hash, search = NULL
  WHERE kept.removed_at IS NULL
    AND (kept.content_hash IS DISTINCT FROM excluded.content_hash OR excluded.published_at < kept.published_at)
  RETURNING id, source_id AS "sourceId", external_id AS "externalId", xmax = 0 AS added`);

/** Unchanged posts are not written, and removed posts stay removed. */
export async function upsertPosts(db: Db, all: PreparedPosts[]): Promise<WrittenPost[]> {
  const found = all.flatMap(({ sourceId, foundAt, posts }) => {
    const at = foundAt.toISOString();
    return posts.map((post) => ({ post, sourceId, foundAt: at }));
  });
  if (!found.length) return [];
  return upserting.run(db.$client, {
    heldIds: all.map(({ sourceId }) => sourceId),
    sourceIds: found.map(({ sourceId }) => sourceId),
    externalIds: found.map(({ post }) => post.externalId),
    urls: found.map(({ post }) => post.url ?? null),
    titles: found.map(({ post }) => post.title ?? null),
    contents: found.map(({ post }) => post.content ?? null),
    safeContents: found.map(({ post }) => post.safe.html),
    authors: found.map(({ post }) => JSON.stringify(post.author)),
    media: found.map(({ post }) => JSON.stringify(post.media)),
    metrics: found.map(({ post }) => jsonOrNull(post.metrics)),
    publishedAt: found.map(({ post }) => post.publishedAt.toISOString()),
    dated: found.map(({ post }) => post.dated),
    foundAt: found.map(({ foundAt }) => foundAt),
    contentHashes: found.map(({ post }) => post.contentHash),
  });
}

export async function saveMetrics(db: Db, all: PreparedPosts[]): Promise<Set<string>> {
  const changed = all.flatMap(({ metrics }) => metrics);
  if (!changed.length) return new Set();
  const { rows } = await db.execute<{ id: string }>(sql`
    UPDATE ${posts} AS kept SET metrics = changed.metrics::jsonb, content_hash = changed.content_hash
    FROM unnest(
      ${sql.param(changed.map(({ id }) => id))}::bigint[],
      ${sql.param(changed.map(({ metrics }) => jsonOrNull(metrics)))}::text[],
      ${sql.param(changed.map(({ contentHash }) => contentHash))}::text[]
    ) AS changed (id, metrics, content_hash)
    WHERE kept.id = changed.id AND kept.removed_at IS NULL AND kept.content_hash IS DISTINCT FROM changed.content_hash
    RETURNING kept.id`);
  return new Set(rows.map(({ id }) => id));
}

export async function emptyPosts(db: Db, ids: string[], now: Date): Promise<void> {
  const removed = sql`ANY(${sql.param(ids)}::bigint[])`;
  await db.execute(sql`
    UPDATE ${posts} SET content = NULL, safe_content = '', search = NULL, media = '[]', metrics = NULL,
      removed_at = ${now.toISOString()}::timestamptz
    WHERE id = ${removed}`);
  await db.execute(sql`DELETE FROM ${marks} WHERE post_id = ${removed}`);
  // This waits for words that are being stored, so that the next statement sees them.
  await db.execute(sql`DELETE FROM ${unindexedPosts} WHERE id = ${removed}`);
  await db.execute(sql`DELETE FROM ${postWords} WHERE id = ${removed}`);
}

function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
