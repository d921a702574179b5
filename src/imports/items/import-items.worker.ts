import { Injectable } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.js';
import { Handles, type JobHandler, type JobRun } from '../../platform/jobs/job-handler.js';
import { Clock } from '../../platform/time/clock.js';
import type { FoundPost } from '../../posts/post.js';
import { PostsStore, type PreparedPosts } from '../../posts/posts.store.js';
import { ImportCancelled, ImportedFeedsStore } from '../feeds/imported-feeds.store.js';
import { ImportedSources } from '../feeds/imported-sources.js';
import { type ImportItemsJob, type ImportResult, importItemsJob } from '../import-jobs.js';
import { ImportMetrics } from '../import-metrics.js';
import type { Outcome } from '../import-status.js';
import { type BadItem, FailedItemsStore } from './failed-items.store.js';
import { ImportBatchesStore, type StagedBatch } from './import-batches.store.js';
import type { StagedItem } from './staged-item.js';
import { checkItem } from './storable-item.js';
import { StoredItemsStore, storedItems } from './stored-items.store.js';

/** PostgreSQL error classes: data exception, integrity violation, program limit exceeded. */
const DATA = /^(22|23|54)/;

type BatchOfSource = StagedBatch & { sourceId: string };

/** A batch, prepared before the transaction that writes it. */
interface Prepared {
  items: { item: StagedItem; post: FoundPost }[];
  posts: PreparedPosts;
  bad: BadItem[];
}

/** The results of its items. */
interface Written {
  stored: Outcome[];
  bad: BadItem[];
}

/** Imports one batch: separate invalid items, save the posts and count the results. */
@Injectable()
@Handles(importItemsJob)
export class ImportItemsWorker implements JobHandler<ImportItemsJob> {
  constructor(
    private readonly batches: ImportBatchesStore,
    private readonly feeds: ImportedFeedsStore,
    private readonly sources: ImportedSources,
    private readonly posts: PostsStore,
    private readonly storedItems: StoredItemsStore,
    private readonly failedItems: FailedItemsStore,
    private readonly clock: Clock,
    private readonly metrics: ImportMetrics,
  ) {}

  async run({ batchId }: ImportItemsJob, run: JobRun<ImportResult>) {
    const batch = await this.batches.find(batchId);
    if (!batch?.items) return;
    try {
      if (!batch.isWanted) throw new ImportCancelled();
      const sourceId = batch.sourceId ?? (await this.sources.idOf(batch.source));
      const prepared = await this.prepare({ ...batch, sourceId }, JSON.parse(batch.items));
      await this.commit({ ...batch, sourceId }, prepared, run);
    } catch (error) {
      if (!(error instanceof ImportCancelled)) throw error;
      run.report({ result: 'cancelled' });
      await run.commit((db) => this.batches.drop(db, batchId));
    }
  }

  async failed(db: Db, { batchId }: ImportItemsJob) {
    const feed = await this.batches.failed(db, batchId);
    if (!feed) return;
    if (await this.feeds.settle(db, feed, this.clock.now())) this.metrics.written({ stored: [], failed: feed.failed });
    else await this.batches.drop(db, batchId);
  }

  async replayed(db: Db, { batchId }: ImportItemsJob) {
    const feed = await this.batches.reopen(db, batchId);
    if (feed) await this.feeds.reopen(db, feed.id, 'storing');
  }

  private async prepare(batch: BatchOfSource, staged: StagedItem[]): Promise<Prepared> {
    const items: Prepared['items'] = [];
    const bad: BadItem[] = [];
    for (const item of staged) {
      const checked = checkItem(item, batch.fields);
      if ('reason' in checked) bad.push({ item, reason: checked.reason });
      else items.push({ item, post: checked.post });
    }
    const found = items.map(({ post }) => post);
    return { items, bad, posts: await this.posts.prepare(batch.sourceId, found, this.clock.now()) };
  }

  private async commit(batch: BatchOfSource, prepared: Prepared, run: JobRun<ImportResult>): Promise<void> {
    const { stored, bad } = await this.writeAll(batch, prepared, run);
    const refused = stored.length ? 'partial' : 'failed';
    run.report({ result: bad.length ? refused : 'imported', details: { stored: stored.length, failed: bad.length } });
    this.metrics.written({ stored, failed: bad.length });
  }

  /** Writes all items at once, or one by one if PostgreSQL rejects one of them. */
  private async writeAll(batch: BatchOfSource, prepared: Prepared, run: JobRun): Promise<Written> {
    try {
      return await run.commit(async (db) => this.write(db, batch, await this.newest(db, batch, prepared)));
    } catch (error) {
      if (!refusedValue(error)) throw error;
      return run.commit(async (db) => this.writeOneByOne(db, batch, await this.newest(db, batch, prepared)));
    }
  }

  private async newest(db: Db, batch: BatchOfSource, prepared: Prepared): Promise<Prepared> {
    if (!batch.full) return prepared;
    await this.feeds.hold(db, batch.feedId);
    return { ...prepared, posts: await this.storedItems.withoutOlder(db, batch, prepared.posts) };
  }

  private async write(db: Db, batch: BatchOfSource, { items, posts, bad }: Prepared): Promise<Written> {
    const found = items.map(({ post }) => post);
    const stored = await this.storedItems.insert(db, batch, storedItems(found, await this.posts.save(db, posts)));
    return this.end(db, batch, { stored, bad });
  }

  private async writeOneByOne(db: Db, batch: BatchOfSource, { items, posts, bad }: Prepared): Promise<Written> {
    const refused: BadItem[] = [];
    const stored: Outcome[] = [];
    for (const { item, post } of items) {
      await db.execute(sql`SAVEPOINT item`);
      try {
        const saved = await this.posts.save(db, onlyOne(posts, post.externalId));
        stored.push(...(await this.storedItems.insert(db, batch, storedItems([post], saved))));
      } catch (error) {
        const reason = refusedValue(error);
        if (!reason) throw error;
        await db.execute(sql`ROLLBACK TO SAVEPOINT item`);
        refused.push({ item, reason: `PostgreSQL does not take it: ${reason}` });
      }
      await db.execute(sql`RELEASE SAVEPOINT item`);
    }
    return this.end(db, batch, { stored, bad: [...bad, ...refused] });
  }

  private async end(db: Db, batch: BatchOfSource, written: Written): Promise<Written> {
    const { stored, bad } = written;
    const now = this.clock.now();
    for (const one of bad) await this.failedItems.insert(db, batch, one, now);
    await this.batches.written(db, batch.id, stored, bad.length);
    const feed = { id: batch.feedId, importId: batch.importId };
    if (!(await this.feeds.settle(db, feed, now))) throw new ImportCancelled();
    return written;
  }
}

/** Returns the prepared data of one post. */
function onlyOne(prepared: PreparedPosts, externalId: string): PreparedPosts {
  const only = <T extends { externalId: string }>(list: T[]) => list.filter((one) => one.externalId === externalId);
  const { posts, metrics, unchanged } = prepared;
  return { ...prepared, posts: only(posts), metrics: only(metrics), unchanged: only(unchanged) };
}

/** Returns PostgreSQL's message if it rejected a value. */
function refusedValue(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && DATA.test(code) ? error.message : refusedValue(error.cause);
}
