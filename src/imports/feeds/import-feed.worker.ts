import { Inject, Injectable } from '@nestjs/common';
import type { FetchedPage } from '../../fetching/fetcher.js';
import { FetchPage } from '../../fetching/run/fetch-page.js';
import { CONFIG, type Config } from '../../platform/config.js';
import type { Db } from '../../platform/database/database.js';
import { Handles, type JobHandler, type JobRun } from '../../platform/jobs/job-handler.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { GiveUp, RetryLater } from '../../platform/jobs/outcomes.js';
import { redactAddress } from '../../platform/redact.js';
import { Clock } from '../../platform/time/clock.js';
import { type ImportFeedJob, type ImportResult, importFeedJob, importItemsJob } from '../import-jobs.js';
import { pathsOf } from '../items/field-mapping.js';
import { ImportBatchesStore } from '../items/import-batches.store.js';
import { type Collected, collectItems } from './collect-items.js';
import { HostSlots } from './host-slots.js';
import { ImportCancelled, type ImportedFeed, ImportedFeedsStore } from './imported-feeds.store.js';
import { ImportedSources } from './imported-sources.js';
import { nextTry } from './next-try.js';

/** Imports one feed: wait for a slot of its host, fetch it, create its source and stage its items in batches. */
@Injectable()
@Handles(importFeedJob)
export class ImportFeedWorker implements JobHandler<ImportFeedJob> {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly feeds: ImportedFeedsStore,
    private readonly batches: ImportBatchesStore,
    private readonly slots: HostSlots,
    private readonly pages: FetchPage,
    private readonly sources: ImportedSources,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  async run({ feedId }: ImportFeedJob, run: JobRun<ImportResult>) {
    const feed = await this.feeds.begin(feedId, this.clock.now());
    if (!feed) return;
    run.report({ target: this.slots.hostOf(feed, feed.cursor) });
    try {
      await this.stage(feed, await this.collect(feed, run.signal), run);
    } catch (error) {
      if (run.signal.aborted || error instanceof RetryLater) throw error;
      if (error instanceof ImportCancelled) return run.report({ result: 'cancelled' });
      throw await this.toJobError(feed, error, run);
    }
  }

  async failed(db: Db, { feedId }: ImportFeedJob) {
    await this.feeds.failed(db, feedId, this.clock.now());
  }

  async replayed(db: Db, { feedId }: ImportFeedJob) {
    await this.feeds.reopen(db, feedId, 'queued');
  }

  private collect(feed: ImportedFeed, signal: AbortSignal): Promise<Collected<FetchedPage>> {
    const flushAt = performance.now() + this.config.importFlushMs;
    const { cursor, pages } = feed;
    return collectItems({
      cursor,
      pages,
      fetchPage: (at) => this.fetchPage(feed, at ?? null, signal),
      shouldContinue: (items) => items < this.config.importBatch && performance.now() < flushAt,
    });
  }

  private async fetchPage(feed: ImportedFeed, cursor: string | null, signal: AbortSignal) {
    if (!(await this.takeSlot(feed, cursor, signal))) return undefined;
    const fields = feed.fields ? pathsOf(feed.fields) : undefined;
    const wanted = { cursor: cursor ?? undefined, archive: feed.full, fields, owner: feed.userId, signal };
    const page = await this.pages.fetch(feed, wanted);
    if ('unchanged' in page) throw new Error('a source says that it has not changed, and was not asked that');
    return feed.full ? page : { ...page, nextCursor: undefined };
  }

  /**
   * Returns false if the slot is far off and items were collected before. If there were none, the job is postponed.
   */
  private async takeSlot(feed: ImportedFeed, cursor: string | null, signal: AbortSignal): Promise<boolean> {
    const returnAt = await this.slots.take(this.slots.hostOf(feed, cursor), signal);
    if (!returnAt) return true;
    if (cursor !== feed.cursor) return false;
    throw new RetryLater(returnAt, 'it waits for a request slot of its host');
  }

  private async stage(feed: ImportedFeed, collected: Collected<FetchedPage>, run: JobRun<ImportResult>): Promise<void> {
    const { first, items, cursor, pages, leftBecause: error } = collected;
    const { externalId, sourceId } = first ? await this.sources.fetched(feed, first) : feed;
    const batches = Array.from({ length: Math.ceil(items.length / this.config.importBatch) }, (_, at) =>
      items.slice(at * this.config.importBatch, (at + 1) * this.config.importBatch),
    );
    const waiting = await run.commit(async (db) => {
      const staged = await this.batches.insert(db, feed, batches);
      const progress = { externalId, sourceId, cursor, pages, error };
      if (!(await this.feeds.fetched(db, feed, progress, this.clock.now()))) throw new ImportCancelled();
      const goingOn = cursor === null ? [] : await importFeedJob.rows.putToWorkInTurn(db, [feed.id], feed.userId);
      return { staged, goingOn };
    });
    run.report({ result: 'read', details: { found: items.length } });
    await this.jobs.enqueueRows(importItemsJob, waiting.staged);
    await this.jobs.enqueueRows(importFeedJob, waiting.goingOn);
  }

  private async toJobError(feed: ImportedFeed, error: unknown, run: JobRun<ImportResult>): Promise<unknown> {
    const now = this.clock.now();
    const next = nextTry(error, { startedAt: feed.startedAt ?? now, now });
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
