import { Injectable } from '@nestjs/common';
import { and, eq, isNull } from 'drizzle-orm';
import { Database, type Db } from '../../platform/database/database.js';
import { recordDeadLetter } from '../../platform/jobs/dead-letters/record-dead-letter.js';
import { jobInState } from '../../platform/jobs/job-columns.js';
import { storable, storableText } from '../../platform/jobs/storable.js';
import type { SourceIdentity } from '../../sources/sources.table.js';
import { importFeeds } from '../feeds/import-feeds.table.js';
import { importItemJob } from '../import-jobs.js';
import { imports } from '../imports.table.js';
import { type FailedItem, failedItems } from './failed-items.table.js';
import type { FieldMapping } from './field-mapping.js';
import type { StagedBatch } from './import-batches.store.js';
import { importBatches } from './import-batches.table.js';
import type { StagedItem } from './staged-item.js';

export interface BadItem {
  item: StagedItem;
  reason: string;
}

/** The batch and source of an item. */
interface Origin extends Pick<StagedBatch, 'id' | 'importId' | 'source'> {
  sourceId: string;
}

export interface FailedItemOfFeed
  extends Pick<FailedItem, 'id' | 'batchId' | 'importId' | 'externalId' | 'place' | 'item'> {
  source: SourceIdentity;
  fields: FieldMapping | null;
}

/** Items that could not be stored, each with a dead letter. */
@Injectable()
export class FailedItemsStore {
  constructor(private readonly database: Database) {}

  async insert(db: Db, batch: Origin, { item, reason: message }: BadItem, now: Date): Promise<void> {
    const { id: batchId, importId, source, sourceId } = batch;
    const { externalId } = item.post ?? {};
    const reason = storableText(message);
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

  /** Returns an item that was not stored since. */
  async find(itemId: string): Promise<FailedItemOfFeed | undefined> {
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

  async stored(db: Db, itemId: string, postId: string): Promise<void> {
    await db.update(failedItems).set({ postId }).where(eq(failedItems.id, itemId));
  }

  async failedAgain(db: Db, itemId: string, reason: string, now: Date): Promise<void> {
    await db
      .update(failedItems)
      .set({ reason: storableText(reason), failedAt: now })
      .where(eq(failedItems.id, itemId));
  }
}

/** Identifies an item in all imports. */
const identityOf = (sourceId: string, externalId: string | undefined) =>
  externalId === undefined ? null : `${sourceId}#${externalId}`;
