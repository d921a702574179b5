import { Injectable } from '@nestjs/common';
import { and, eq, sql } from 'drizzle-orm';
import { Database, type Db } from '../../platform/database/database.js';
import { md5 } from '../../posts/clean-post.js';
import type { FoundPost } from '../../posts/post.js';
import type { PreparedPosts, SavedPosts } from '../../posts/posts.store.js';
import { posts } from '../../posts/posts.table.js';
import type { Outcome } from '../import-status.js';
import type { Fields } from './field-mapping.js';
import { fieldTerms } from './field-terms.js';
import { importItems } from './import-items.table.js';

interface Batch {
  id: string;
  importId: string;
}

/** Records which posts an import has brought. */
@Injectable()
export class StoredItemsStore {
  constructor(private readonly database: Database) {}

  /** Posts that the import has brought in another batch are left unchanged. Returns the outcomes of the others. */
  async insert(db: Db, { id: batchId, importId }: Batch, items: StoredItem[]): Promise<Outcome[]> {
    if (!items.length) return [];
    // Posts are sorted, so that two batches with the same posts wait for each other instead of deadlocking.
    const ordered = items.toSorted((a, b) => (BigInt(a.postId) < BigInt(b.postId) ? -1 : 1));
    const column = (pick: (item: StoredItem) => string | null) => sql.param(ordered.map(pick));
    const { rows } = await db.execute<{ outcome: Outcome }>(sql`
      INSERT INTO ${importItems} (import_id, batch_id, post_id, outcome, fields, field_terms)
      SELECT ${importId}::bigint, ${batchId}::bigint, post_id, outcome, fields::jsonb,
        CASE WHEN terms IS NULL THEN NULL ELSE ARRAY(SELECT jsonb_array_elements_text(terms::jsonb)) END
      FROM unnest(
        ${column(({ postId }) => postId)}::bigint[], ${column(({ outcome }) => outcome)}::text[],
        ${column(({ fields }) => (fields ? JSON.stringify(fields) : null))}::text[],
        ${column(({ fields }) => (fields ? JSON.stringify(fieldTerms(fields)) : null))}::text[]
      ) AS stored (post_id, outcome, fields, terms)
      ON CONFLICT DO NOTHING RETURNING outcome`);
    return rows.map(({ outcome }) => outcome);
  }

  /** Leaves out posts that an earlier batch of the import has brought, because later archive pages are older. */
  async withoutOlder(db: Db, { id: batchId, importId }: Batch, prepared: PreparedPosts): Promise<PreparedPosts> {
    const { sourceId } = prepared;
    const ids = [...prepared.posts, ...prepared.metrics].map(({ externalId }) => md5(externalId));
    const { rows } = await db.execute<{ id: string; externalId: string }>(sql`
      SELECT ${posts.id}, ${posts.externalId} AS "externalId" FROM ${posts} JOIN ${importItems} ON post_id = ${posts.id}
      WHERE source_id = ${sourceId} AND md5(${posts.externalId}) = ANY(${sql.param(ids)}::text[])
        AND import_id = ${importId} AND batch_id < ${batchId}`);
    const brought = new Set(rows.map(({ externalId }) => externalId));
    const fresh = <T extends { externalId: string }>(list: T[]) => list.filter((one) => !brought.has(one.externalId));
    const unchanged = [...prepared.unchanged, ...rows];
    return { ...prepared, posts: fresh(prepared.posts), metrics: fresh(prepared.metrics), unchanged };
  }

  async has(importId: string, postId: string): Promise<boolean> {
    const which = and(eq(importItems.importId, importId), eq(importItems.postId, postId));
    return (await this.database.db.$count(importItems, which)) > 0;
  }
}

interface StoredItem {
  postId: string;
  outcome: Outcome;
  fields?: Fields | undefined;
}

/** Fails if a post was not saved because its source was deleted meanwhile. */
export function storedItems(found: FoundPost[], saved: SavedPosts): StoredItem[] {
  const added = new Set(saved.added);
  const changed = new Set(saved.changed);
  return found.map(({ externalId, fields }) => {
    const postId = saved.ids.get(externalId);
    if (postId === undefined) throw new Error(`the post ${externalId} was not saved: its source is not there any more`);
    const outcome = added.has(postId) ? 'new' : changed.has(postId) ? 'updated' : 'unchanged';
    return { postId, outcome, fields };
  });
}
