import { Injectable } from '@nestjs/common';
import type { Db } from '../../platform/database/database.js';
import { Handles, type JobHandler, type JobRun } from '../../platform/jobs/job-handler.js';
import { ImportCancelled, ImportedFeedsStore } from '../feeds/imported-feeds.store.js';
import { ImportedSources } from '../feeds/imported-sources.js';
import { type ImportItemsJob, type ImportResult, importItemsJob } from '../import-jobs.js';
import { ImportMetrics } from '../import-metrics.js';
import { ImportBatchesStore } from './import-batches.store.js';
import { ItemWriter } from './item-writer.js';
import type { StagedItem } from './staged-item.js';

@Injectable()
@Handles(importItemsJob)
export class ImportItemsWorker implements JobHandler<ImportItemsJob> {
  constructor(
    private readonly batches: ImportBatchesStore,
    private readonly feeds: ImportedFeedsStore,
    private readonly sources: ImportedSources,
    private readonly writer: ItemWriter,
    private readonly metrics: ImportMetrics,
  ) {}

  async run({ batchId }: ImportItemsJob, run: JobRun<ImportResult>) {
    const batch = await this.batches.find(batchId);
    if (!batch?.items) return;
    try {
      if (!batch.isWanted) throw new ImportCancelled();
      const sourceId = batch.sourceId ?? (await this.sources.idOf(batch.source));
      const items: StagedItem[] = JSON.parse(batch.items);
      run.progress(60, `Storing ${items.length} items of ${batch.source.externalId}`);
      await this.writer.writeBatch({ ...batch, sourceId }, items, run);
    } catch (error) {
      if (!(error instanceof ImportCancelled)) throw error;
      run.report({ result: 'cancelled' });
      await run.commit((db) => this.batches.drop(db, batchId));
    }
  }

  async failed(db: Db, { batchId }: ImportItemsJob) {
    const feed = await this.batches.failed(db, batchId);
    if (!feed) return;
    if (await this.feeds.settle(db, feed)) this.metrics.written({ stored: [], failed: feed.failed });
    else await this.batches.drop(db, batchId);
  }

  async replayed(db: Db, { batchId }: ImportItemsJob) {
    const feed = await this.batches.reopen(db, batchId);
    if (feed) await this.feeds.reopen(db, feed.id, 'storing');
  }
}
