import { Inject, Injectable } from '@nestjs/common';
import { eq, sql } from 'drizzle-orm';
import { CONFIG, type Config } from '../../platform/config.js';
import { Database, type Db } from '../../platform/database/database.js';
import { jobInState, waitingRow } from '../../platform/jobs/job-columns.js';
import type { WaitingRow } from '../../platform/jobs/job-rows.js';
import type { SourceIdentity } from '../../sources/sources.table.js';
import { importFeeds } from '../feeds/import-feeds.table.js';
import type { FeedOfImport } from '../feeds/imported-feeds.store.js';
import { importItemsJob } from '../import-jobs.js';
import type { Outcome } from '../import-status.js';
import { imports } from '../imports.table.js';
import { failedItems } from './failed-items.table.js';
import type { FieldMapping } from './field-mapping.js';
import { type ImportBatch, importBatches } from './import-batches.table.js';
import { importItems } from './import-items.table.js';
import type { StagedItem } from './staged-item.js';

export interface StagedBatch extends Pick<ImportBatch, 'id' | 'importId' | 'feedId'> {
  items: string | null;
  source: SourceIdentity;
  sourceId: string | null;
  fields: FieldMapping | null;
  /** Whether the batch may come from an archive. */
  full: boolean;
  isWanted: boolean;
}

@Injectable()
export class ImportBatchesStore {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
  ) {}

  get maxItems(): number {
    return this.config.importBatch;
  }

  /** Stores items that are to be written, in batches of `MILLRACE_IMPORT_BATCH`. */
  async insert(db: Db, feed: FeedOfImport & { userId: string }, staged: StagedItem[]): Promise<WaitingRow[]> {
    if (!staged.length) return [];
    const size = this.maxItems;
    const batches = Array.from({ length: Math.ceil(staged.length / size) }, (_, at) =>
      staged.slice(at * size, (at + 1) * size),
    );
    const { id: feedId, importId, userId } = feed;
    const turns = await importItemsJob.rows.turnsOf(db, userId, batches.length);
    return db
      .insert(importBatches)
      .values(
        batches.map((items, at) => ({
          importId,
          feedId,
          items: JSON.stringify(items),
          found: items.length,
          ...turns[at],
        })),
      )
      .returning(waitingRow(importBatches));
  }

  /** Call in the transaction that writes the items, which need no staging. */
  async insertWritten(db: Db, { id: feedId, importId }: FeedOfImport, found: number): Promise<string> {
    const [batch] = await db
      .insert(importBatches)
      .values({ importId, feedId, found, ...jobInState('done') })
      .returning({ id: importBatches.id });
    if (!batch) throw new Error('A batch was not stored');
    return batch.id;
  }

  async find(batchId: string): Promise<StagedBatch | undefined> {
    const [found] = await this.database.db
      .select({
        id: importBatches.id,
        importId: importBatches.importId,
        feedId: importBatches.feedId,
        items: importBatches.items,
        sourceId: importFeeds.sourceId,
        source: { type: importFeeds.type, externalId: importFeeds.externalId },
        fields: imports.fields,
        full: imports.full,
        isWanted: sql<boolean>`${imports.status} <> 'cancelled'`,
      })
      .from(importBatches)
      .innerJoin(importFeeds, eq(importFeeds.id, importBatches.feedId))
      .innerJoin(imports, eq(imports.id, importBatches.importId))
      .where(eq(importBatches.id, batchId));
    return found as StagedBatch | undefined;
  }

  /** Call in the transaction that has written the rows of all its items. */
  async written(db: Db, batchId: string, outcomes: Outcome[], failed: number): Promise<void> {
    const count = (outcome: Outcome) => outcomes.filter((one) => one === outcome).length;
    const counts = { added: count('new'), updated: count('updated'), unchanged: count('unchanged'), failed };
    await db
      .update(importBatches)
      .set({ items: null, found: outcomes.length + failed, ...counts })
      .where(eq(importBatches.id, batchId));
  }

  async recount(db: Db, batchId: string): Promise<void> {
    // The row is locked by a separate statement, so that the next one sees what others of the same batch have
    // committed.
    await db
      .select({ id: importBatches.id })
      .from(importBatches)
      .where(eq(importBatches.id, batchId))
      .for('no key update');
    await db.execute(sql`
      UPDATE ${importBatches} SET items = NULL, found = stored.all + bad.all,
        added = stored.added, updated = stored.updated, unchanged = stored.unchanged, failed = bad.all
      FROM (
        SELECT count(*)::int AS all, count(*) FILTER (WHERE outcome = 'new')::int AS added,
          count(*) FILTER (WHERE outcome = 'updated')::int AS updated,
          count(*) FILTER (WHERE outcome = 'unchanged')::int AS unchanged
        FROM ${importItems} WHERE batch_id = ${batchId}
      ) AS stored, (
        SELECT count(*)::int AS all FROM ${failedItems} WHERE batch_id = ${batchId} AND post_id IS NULL
      ) AS bad
      WHERE id = ${batchId}`);
  }

  /** Marks a batch that could not be written: its items count as failed until it is written. */
  async failed(db: Db, batchId: string): Promise<(FeedOfImport & { failed: number }) | undefined> {
    return this.change(db, batchId, sql`failed = found`);
  }

  async reopen(db: Db, batchId: string): Promise<FeedOfImport | undefined> {
    return this.change(db, batchId, sql`failed = 0`);
  }

  async drop(db: Db, batchId: string): Promise<void> {
    await this.change(db, batchId, sql`items = NULL, found = 0, failed = 0`);
  }

  private async change(
    db: Db,
    batchId: string,
    change: ReturnType<typeof sql>,
  ): Promise<(FeedOfImport & { failed: number }) | undefined> {
    const { rows } = await db.execute<{ id: string; importId: string; failed: number }>(sql`
      UPDATE ${importBatches} SET ${change} WHERE id = ${batchId}
      RETURNING feed_id AS id, import_id AS "importId", failed`);
    return rows[0];
  }
}
