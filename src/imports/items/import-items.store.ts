import { Injectable } from '@nestjs/common';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { Database, type Db } from '../../platform/database/database.js';
import { recordDeadLetter } from '../../platform/jobs/dead-letters/record-dead-letter.js';
import { jobInState } from '../../platform/jobs/job-columns.js';
import { storable, storableText } from '../../platform/jobs/storable.js';
import { Clock } from '../../platform/time/clock.js';
import { md5 } from '../../posts/clean-post.js';
import type { FoundPost } from '../../posts/post.js';
import type { PreparedPosts, SavedPosts } from '../../posts/posts.store.js';
import { posts } from '../../posts/posts.table.js';
import type { SourceIdentity } from '../../sources/sources.table.js';
import { importFeeds } from '../feeds/import-feeds.table.js';
import { importItemJob } from '../import-jobs.js';
import type { Outcome } from '../import-status.js';
import { imports } from '../imports.table.js';
import { type FailedItem, failedItems } from './failed-items.table.js';
import type { FieldMapping, Fields } from './field-mapping.js';
import { fieldTerms } from './field-terms.js';
import type { StagedBatch } from './import-batches.store.js';
import { importBatches } from './import-batches.table.js';
import { importItems } from './import-items.table.js';
import type { StagedItem } from './staged-item.js';

interface Batch {
  id: string;
  importId: string;
}

export interface BadItem {
  item: StagedItem;
  reason: string;
}

interface Origin extends Pick<StagedBatch, 'id' | 'importId' | 'source'> {
  sourceId: string;
}

export interface FailedItemOfFeed
  extends Pick<FailedItem, 'id' | 'batchId' | 'importId' | 'externalId' | 'place' | 'item'> {
  source: SourceIdentity;
  fields: FieldMapping | null;
}

/** Records what became of the items of an import: the posts that they brought, and the items that could not be stored. */
@Injectable()
export class ImportItemsStore {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

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

  async has(importId: string, sourceId: string, externalId: string): Promise<boolean> {
    const { rowCount } = await this.database.db.execute(sql`
      SELECT FROM ${posts} JOIN ${importItems} ON post_id = ${posts.id}
      WHERE source_id = ${sourceId} AND md5(${posts.externalId}) = ${md5(externalId)} AND import_id = ${importId}`);
    return Boolean(rowCount);
  }

  async insertFailed(db: Db, batch: Origin, { item, reason: message }: BadItem): Promise<void> {
    const { id: batchId, importId, source, sourceId } = batch;
    const { externalId } = item.post ?? {};
    const reason = storableText(message);
    const now = this.clock.now();
    const row = { importId, batchId, reason, failedAt: now, place: item.place, ...jobInState('failed') };
    const [stored] = await db
      .insert(failedItems)
      .values({ ...row, externalId: externalId && storableText(externalId), item: storable(item) })
      .returning({ id: failedItems.id });
    if (!stored) throw new Error('a failed item was not stored');
    await recordDeadLetter(db, {
      queue: importItemJob.name,
      jobName: importItemJob.name,
      subject: stored.id,
      payload: {
        itemId: stored.id,
        importId,
        feed: source.externalId,
        place: item.place,
        identity: identityOf(sourceId, externalId),
        item: item.post ?? null,
      },
      history: [{ at: now.toISOString(), reason }],
    });
  }

  /** Returns a failed item that was not stored since. */
  async findFailed(itemId: string): Promise<FailedItemOfFeed | undefined> {
    const [found] = await this.database.db
      .select({
        id: failedItems.id,
        batchId: failedItems.batchId,
        externalId: failedItems.externalId,
        place: failedItems.place,
        item: failedItems.item,
        importId: failedItems.importId,
        source: { type: importFeeds.type, externalId: importFeeds.externalId },
        fields: imports.fields,
      })
      .from(failedItems)
      .innerJoin(importBatches, eq(importBatches.id, failedItems.batchId))
      .innerJoin(importFeeds, eq(importFeeds.id, importBatches.feedId))
      .innerJoin(imports, eq(imports.id, failedItems.importId))
      .where(and(eq(failedItems.id, itemId), isNull(failedItems.postId)));
    return found as FailedItemOfFeed | undefined;
  }

  async replayed(db: Db, itemId: string, postId: string): Promise<void> {
    await db.update(failedItems).set({ postId }).where(eq(failedItems.id, itemId));
  }

  async failedAgain(db: Db, itemId: string, reason: string): Promise<void> {
    await db
      .update(failedItems)
      .set({ reason: storableText(reason), failedAt: this.clock.now() })
      .where(eq(failedItems.id, itemId));
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

const identityOf = (sourceId: string, externalId: string | undefined) =>
  externalId === undefined ? null : `${sourceId}#${externalId}`;
