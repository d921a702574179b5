import { sql } from 'drizzle-orm';
import type { Db } from '../platform/database/database.js';
import { PreparedQuery } from '../platform/database/prepared-query.js';
import { sources } from '../sources/sources.table.js';
import { marks } from './marks.table.js';
import { posts } from './posts.table.js';
import type { PreparedPost, PreparedPosts } from './prepared-posts.js';

/** Maximum number of indexed characters, because a search vector is limited to 1 MB. */
const MAX_SEARCHED = 100_000;

interface WrittenPost extends Record<string, unknown> {
  id: string;
  externalId: string;
  added: boolean;
}

const { placeholder } = sql;
const texts = (name: string) => sql`${placeholder(name)}::text[]`;

const upserting = new PreparedQuery<WrittenPost>(sql`
  WITH held AS MATERIALIZED (
    SELECT id AS source_id FROM ${sources} WHERE id = ${placeholder('sourceId')}::bigint FOR NO KEY UPDATE
  )
  INSERT INTO ${posts} AS kept (source_id, external_id, url, title, content, safe_content, author, media, metrics,
    published_at, dated, found_at, content_hash, search)
  SELECT source_id, external_id, url, title, content, safe_content, author::jsonb, media::jsonb, metrics::jsonb,
    published_at::timestamptz, dated, ${placeholder('foundAt')}::timestamptz, content_hash, to_tsvector('simple', words)
  FROM held CROSS JOIN unnest(
    ${texts('externalIds')}, ${texts('urls')}, ${texts('titles')}, ${texts('contents')}, ${texts('safeContents')},
    ${texts('authors')}, ${texts('media')}, ${texts('metrics')}, ${texts('publishedAt')}, ${placeholder('dated')}::boolean[],
    ${texts('contentHashes')}, ${texts('words')}
  ) WITH ORDINALITY AS found (external_id, url, title, content, safe_content, author, media, metrics,
    published_at, dated, content_hash, words, place)
  ORDER BY place
  ON CONFLICT (source_id, md5(external_id)) DO UPDATE SET
    url = excluded.url, title = excluded.title, content = excluded.content, safe_content = excluded.safe_content,
    author = excluded.author, media = excluded.media, metrics = excluded.metrics,
    published_at = least(kept.published_at, excluded.published_at),
    dated = CASE WHEN excluded.published_at < kept.published_at THEN excluded.dated ELSE kept.dated END, content_hash = excluded.content_hash,
    search = excluded.search
  WHERE kept.removed_at IS NULL
    AND (kept.content_hash IS DISTINCT FROM excluded.content_hash OR excluded.published_at < kept.published_at)
  RETURNING id, external_id AS "externalId", xmax = 0 AS added`);

/** Unchanged posts are not written, and removed posts stay removed. */
export async function upsertPosts(db: Db, { sourceId, foundAt, posts: all }: PreparedPosts): Promise<WrittenPost[]> {
  if (!all.length) return [];
  return upserting.run(db.$client, {
    sourceId,
    foundAt: foundAt.toISOString(),
    externalIds: all.map(({ externalId }) => externalId),
    urls: all.map(({ url }) => url ?? null),
    titles: all.map(({ title }) => title ?? null),
    contents: all.map(({ content }) => content ?? null),
    safeContents: all.map(({ safe }) => safe.html),
    authors: all.map(({ author }) => JSON.stringify(author)),
    media: all.map(({ media }) => JSON.stringify(media)),
    metrics: all.map(({ metrics }) => jsonOrNull(metrics)),
    publishedAt: all.map(({ publishedAt }) => publishedAt.toISOString()),
    dated: all.map(({ dated }) => dated),
    contentHashes: all.map(({ contentHash }) => contentHash),
    words: all.map(wordsOf),
  });
}

export async function saveMetrics(db: Db, { sourceId, metrics: all }: PreparedPosts): Promise<string[]> {
  if (!all.length) return [];
  const { rows } = await db.execute<{ id: string }>(sql`
    UPDATE ${posts} AS kept SET metrics = changed.metrics::jsonb, content_hash = changed.content_hash
    FROM unnest(
      ${sql.param(all.map(({ id }) => id))}::bigint[],
      ${sql.param(all.map(({ metrics }) => jsonOrNull(metrics)))}::text[],
      ${sql.param(all.map(({ contentHash }) => contentHash))}::text[]
    ) AS changed (id, metrics, content_hash)
    WHERE kept.id = changed.id AND kept.source_id = ${sourceId} AND kept.removed_at IS NULL
      AND kept.content_hash IS DISTINCT FROM changed.content_hash
    RETURNING kept.id`);
  return rows.map(({ id }) => id);
}

export async function emptyPosts(db: Db, ids: string[], now: Date): Promise<void> {
  await db.execute(sql`
    UPDATE ${posts} SET content = NULL, safe_content = '', search = NULL, media = '[]', metrics = NULL,
      removed_at = ${now.toISOString()}::timestamptz
    WHERE id = ANY(${sql.param(ids)}::bigint[])`);
  await db.execute(sql`DELETE FROM ${marks} WHERE post_id = ANY(${sql.param(ids)}::bigint[])`);
}

function wordsOf({ title, author, safe }: PreparedPost): string {
  const words = [title, author.displayName, author.username, safe.text].filter(Boolean).join(' ');
  return words.slice(0, MAX_SEARCHED).toWellFormed();
}

function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
