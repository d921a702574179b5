import { sql } from 'drizzle-orm';
import type { Db } from '../platform/database/database.js';
import { posts } from './posts.table.js';
import type { PreparedPost, PreparedPosts } from './prepared-posts.js';

/** A search vector holds 1 MB at most. */
const MOST_SEARCHED = 100_000;

interface WrittenPost extends Record<string, unknown> {
  id: string;
  externalId: string;
  added: boolean;
}

/** One statement for all. What a source repeats unchanged is not written, what was removed does not come back. */
export async function upsertPosts(db: Db, { sourceId, foundAt, posts: all }: PreparedPosts): Promise<WrittenPost[]> {
  if (!all.length) return [];
  const texts = (pick: (post: PreparedPost) => string | null | undefined) =>
    sql`${sql.param(all.map((post) => pick(post) ?? null))}::text[]`;
  const { rows } = await db.execute<WrittenPost>(sql`
    INSERT INTO ${posts} AS kept (source_id, external_id, url, title, content, safe_content, author, media, metrics,
      published_at, found_at, content_hash, search)
    SELECT ${sourceId}::bigint, external_id, url, title, content, safe_content, author::jsonb, media::jsonb, metrics::jsonb,
      published_at::timestamptz, ${foundAt.toISOString()}::timestamptz, content_hash, to_tsvector('simple', words)
    FROM unnest(
      ${texts((post) => post.externalId)}, ${texts((post) => post.url)}, ${texts((post) => post.title)},
      ${texts((post) => post.content)}, ${texts((post) => post.safe.html)}, ${texts((post) => JSON.stringify(post.author))},
      ${texts((post) => JSON.stringify(post.media))}, ${texts((post) => jsonOrNull(post.metrics))},
      ${texts((post) => post.publishedAt.toISOString())}, ${texts((post) => post.contentHash)}, ${texts(wordsOf)}
    ) WITH ORDINALITY AS found (external_id, url, title, content, safe_content, author, media, metrics,
      published_at, content_hash, words, place)
    ORDER BY place
    ON CONFLICT (source_id, md5(external_id)) DO UPDATE SET
      url = excluded.url, title = excluded.title, content = excluded.content, safe_content = excluded.safe_content,
      author = excluded.author, media = excluded.media, metrics = excluded.metrics,
      published_at = least(kept.published_at, excluded.published_at), content_hash = excluded.content_hash,
      search = excluded.search
    WHERE kept.removed_at IS NULL
      AND (kept.content_hash IS DISTINCT FROM excluded.content_hash OR excluded.published_at < kept.published_at)
    RETURNING id, external_id AS "externalId", xmax = 0 AS added`);
  return rows;
}

/** Returns the ids of those that have really changed. */
export async function saveMetrics(db: Db, { sourceId, metrics: all }: PreparedPosts): Promise<string[]> {
  if (!all.length) return [];
  const { rows } = await db.execute<{ id: string }>(sql`
    UPDATE ${posts} AS kept SET metrics = told.metrics::jsonb, content_hash = told.content_hash
    FROM unnest(
      ${sql.param(all.map(({ id }) => id))}::bigint[],
      ${sql.param(all.map(({ metrics }) => jsonOrNull(metrics)))}::text[],
      ${sql.param(all.map(({ contentHash }) => contentHash))}::text[]
    ) AS told (id, metrics, content_hash)
    WHERE kept.id = told.id AND kept.source_id = ${sourceId} AND kept.removed_at IS NULL
      AND kept.content_hash IS DISTINCT FROM told.content_hash
    RETURNING kept.id`);
  return rows.map(({ id }) => id);
}

function wordsOf({ title, author, safe }: PreparedPost): string {
  const words = [title, author.displayName, author.username, safe.text].filter(Boolean).join(' ');
  return words.slice(0, MOST_SEARCHED).toWellFormed();
}

function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
