import { Injectable } from '@nestjs/common';
import type { FetchedPage } from '../../fetching/fetcher.js';
import type { Db } from '../../platform/database/database.js';
import { Handles, type JobHandler, type JobRun } from '../../platform/jobs/job-handler.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { GiveUp, RetryLater } from '../../platform/jobs/outcomes.js';
import { redactAddress } from '../../platform/redact.js';
import { type ImportFeedJob, type ImportResult, importFeedJob, importItemsJob } from '../import-jobs.js';
import { ItemWriter } from '../items/item-writer.js';
import { type Collected, FeedReader } from './feed-reader.js';
import { ImportCancelled, type ImportedFeed, ImportedFeedsStore } from './imported-feeds.store.js';
import { ImportedSources } from './imported-sources.js';

@Injectable()
@Handles(importFeedJob)
export class ImportFeedWorker implements JobHandler<ImportFeedJob> {
  constructor(
    private readonly feeds: ImportedFeedsStore,
    private readonly reader: FeedReader,
    private readonly sources: ImportedSources,
    private readonly writer: ItemWriter,
    private readonly jobs: Jobs,
  ) {}

  async run({ feedId }: ImportFeedJob, run: JobRun<ImportResult>) {
    const feed = await this.feeds.begin(feedId);
    if (!feed) return;
    run.report({ target: this.reader.hostOf(feed) });
    try {
      run.progress(10, `Fetching ${feed.cursor ?? feed.externalId}`);
      const collected = await this.reader.read(feed, run.signal);
      run.progress(60, `Read ${collected.items.length} items`);
      await this.store(feed, collected, run);
    } catch (error) {
      if (run.signal.aborted || error instanceof RetryLater) throw error;
      if (error instanceof ImportCancelled) return run.report({ result: 'cancelled' });
      throw await this.toJobError(feed, error, run);
    }
  }

  async failed(db: Db, { feedId }: ImportFeedJob) {
    await this.feeds.failed(db, feedId);
  }

  async replayed(db: Db, { feedId }: ImportFeedJob) {
    await this.feeds.reopen(db, feedId, 'queued');
  }

  private async store(feed: ImportedFeed, collected: Collected<FetchedPage>, run: JobRun<ImportResult>): Promise<void> {
    const { first, items, cursor, pages, leftBecause: error } = collected;
    const source = first ? await this.sources.fetched(feed, first) : await this.sourceOf(feed);
    const waiting = await this.writer.storeFeed(feed, { items, progress: { ...source, cursor, pages, error } }, run);
    await this.jobs.enqueueRows(importItemsJob, waiting.batches);
    await this.jobs.enqueueRows(importFeedJob, waiting.feeds);
  }

  private async sourceOf({
    type,
    externalId,
    sourceId,
  }: ImportedFeed): Promise<{ externalId: string; sourceId: string }> {
    return { externalId, sourceId: sourceId ?? (await this.sources.idOf({ type, externalId })) };
  }

  private async toJobError(feed: ImportedFeed, error: unknown, run: JobRun<ImportResult>): Promise<unknown> {
    const next = this.reader.nextTry(error, feed.startedAt);
    if (!next) return error;
    if (next.kind === 'later') return new RetryLater(next.until, next.reason);
    const reason = feed.cursor === null ? next.reason : `in its archive: ${next.reason}`;
    run.report({ result: 'failed' });
    await this.feeds.recordError(feed.id, reason);
    if (next.kind === 'again' && !run.isLastAttempt) return error;
    if (next.failure) await this.sources.failed(feed, next.failure);
    return new GiveUp(`${redactAddress(feed.url)}: ${reason}`);
  }
}
