import { Injectable } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.js';
import type { JobRun } from '../../platform/jobs/job-handler.js';
import type { WaitingRow } from '../../platform/jobs/job-rows.js';
import type { FoundPost } from '../../posts/post.js';
import { PostsStore, type PreparedPosts } from '../../posts/posts.store.js';
import {
  type FeedProgress,
  ImportCancelled,
  type ImportedFeed,
  ImportedFeedsStore,
} from '../feeds/imported-feeds.store.js';
import { type ImportResult, importFeedJob } from '../import-jobs.js';
import { ImportMetrics } from '../import-metrics.js';
import type { Outcome } from '../import-status.js';
import { ImportBatchesStore, type StagedBatch } from './import-batches.store.js';
import { type BadItem, type FailedItemOfFeed, ImportItemsStore, storedItems } from './import-items.store.js';
import { checkItem, type StagedItem } from './staged-item.js';

/** PostgreSQL error classes: data exception, integrity violation, program limit exceeded. */
const DATA = /^(22|23|54)/;

type BatchOfSource = Omit<StagedBatch, 'items' | 'isWanted'> & { sourceId: string };

interface FetchedFeed {
  items: StagedItem[];
  progress: FeedProgress & { sourceId: string };
}

interface WaitingJobs {
  batches: WaitingRow[];
  feeds: WaitingRow[];
}

interface PreparedBatch {
  batch: BatchOfSource;
  items: { item: StagedItem; post: FoundPost }[];
  posts: PreparedPosts;
  bad: BadItem[];
}

interface WrittenItems {
  stored: Outcome[];
  bad: BadItem[];
}

@Injectable()
export class ItemWriter {
  constructor(
    private readonly posts: PostsStore,
    private readonly items: ImportItemsStore,
    private readonly batches: ImportBatchesStore,
    private readonly feeds: ImportedFeedsStore,
    private readonly metrics: ImportMetrics,
  ) {}

  /**
   * A feed that was read completely is written at once: if the process dies, the feed is fetched again. Other items are
   * staged, because an archive is read in many runs. Pass the result to `Jobs.enqueueRows`.
   */
  async storeFeed(feed: ImportedFeed, fetched: FetchedFeed, run: JobRun<ImportResult>): Promise<WaitingJobs> {
    if (!feed.full && (await this.writeFeed(feed, fetched, run))) return { batches: [], feeds: [] };
    const { items, progress } = fetched;
    run.progress(90, `Staging ${items.length} items to be stored in batches`);
    run.report({ result: 'read', details: { found: items.length } });
    return run.commit(async (db) => {
      const batches = await this.batches.insert(db, feed, items);
      await this.feeds.fetched(db, feed.id, progress);
      if (!(await this.feeds.settle(db, feed))) throw new ImportCancelled();
      const isOver = progress.cursor === null;
      return { batches, feeds: isOver ? [] : await importFeedJob.rows.putToWorkInTurn(db, [feed.id], feed.userId) };
    });
  }

  /** Returns false if the items do not fit into a batch, or if PostgreSQL rejects one of them. */
  private async writeFeed(
    feed: ImportedFeed,
    { items, progress }: FetchedFeed,
    run: JobRun<ImportResult>,
  ): Promise<boolean> {
    if (!items.length || items.length > this.batches.maxItems) return false;
    const { id: feedId, importId, type, fields, full } = feed;
    const { sourceId, externalId } = progress;
    const prepared = await this.prepare(
      { id: '', feedId, importId, source: { type, externalId }, sourceId, fields, full },
      items,
    );
    try {
      const written = await run.commit(async (db) => {
        const id = await this.batches.insertWritten(db, feed, items.length);
        await this.feeds.fetched(db, feedId, progress);
        return this.writeAll(db, { ...prepared, batch: { ...prepared.batch, id } });
      });
      this.report(written, run);
      return true;
    } catch (error) {
      if (refusedValue(error)) return false;
      throw error;
    }
  }

  /** Writes all items at once, or one by one if PostgreSQL rejects one of them. */
  async writeBatch(batch: BatchOfSource, staged: StagedItem[], run: JobRun<ImportResult>): Promise<void> {
    const prepared = await this.prepare(batch, staged);
    this.report(await this.commitBatch(prepared, run), run);
  }

  private async commitBatch(prepared: PreparedBatch, run: JobRun): Promise<WrittenItems> {
    try {
      return await run.commit(async (db) => this.writeAll(db, await this.withoutOlder(db, prepared)));
    } catch (error) {
      if (!refusedValue(error)) throw error;
      return run.commit(async (db) => this.writeOneByOne(db, await this.withoutOlder(db, prepared)));
    }
  }

  async writeReplayed(
    { id: itemId, batchId, importId }: FailedItemOfFeed,
    { sourceId, post }: { sourceId: string; post: FoundPost },
    run: JobRun,
  ): Promise<void> {
    const prepared = await this.posts.prepare(sourceId, [post]);
    const outcome = await run.commit(async (db) => {
      const [stored] = storedItems([post], await this.posts.save(db, prepared));
      if (!stored) throw new Error('A saved post is missing');
      await this.items.insert(db, { id: batchId, importId }, [stored]);
      await this.items.replayed(db, itemId, stored.postId);
      await this.batches.recount(db, batchId);
      await this.feeds.publishChange(db, importId);
      return stored.outcome;
    });
    this.metrics.written({ stored: [outcome], failed: 0 });
  }

  private report({ stored, bad }: WrittenItems, run: JobRun<ImportResult>): void {
    run.progress(90, `Stored ${stored.length} items, ${bad.length} were refused`);
    const refused = stored.length ? 'partial' : 'failed';
    run.report({ result: bad.length ? refused : 'imported', details: { stored: stored.length, failed: bad.length } });
    this.metrics.written({ stored, failed: bad.length });
  }

  private async prepare(batch: BatchOfSource, staged: StagedItem[]): Promise<PreparedBatch> {
    const items: PreparedBatch['items'] = [];
    const bad: BadItem[] = [];
    for (const item of staged) {
      const checked = checkItem(item, batch.fields);
      if ('reason' in checked) bad.push({ item, reason: checked.reason });
      else items.push({ item, post: checked.post });
    }
    const found = items.map(({ post }) => post);
    return { batch, items, bad, posts: await this.posts.prepare(batch.sourceId, found) };
  }

  private async withoutOlder(db: Db, prepared: PreparedBatch): Promise<PreparedBatch> {
    const { batch, posts } = prepared;
    if (!batch.full) return prepared;
    await this.feeds.hold(db, batch.feedId);
    return { ...prepared, posts: await this.items.withoutOlder(db, batch, posts) };
  }

  private async writeAll(db: Db, { batch, items, posts, bad }: PreparedBatch): Promise<WrittenItems> {
    const found = items.map(({ post }) => post);
    const stored = await this.items.insert(db, batch, storedItems(found, await this.posts.save(db, posts)));
    return this.end(db, batch, { stored, bad });
  }

  private async writeOneByOne(db: Db, { batch, items, posts, bad }: PreparedBatch): Promise<WrittenItems> {
    const refused: BadItem[] = [];
    const stored: Outcome[] = [];
    for (const { item, post } of items) {
      await db.execute(sql`SAVEPOINT item`);
      try {
        const saved = await this.posts.save(db, onlyOne(posts, post.externalId));
        stored.push(...(await this.items.insert(db, batch, storedItems([post], saved))));
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

  private async end(db: Db, batch: BatchOfSource, written: WrittenItems): Promise<WrittenItems> {
    const { stored, bad } = written;
    for (const one of bad) await this.items.insertFailed(db, batch, one);
    await this.batches.written(db, batch.id, stored, bad.length);
    const feed = { id: batch.feedId, importId: batch.importId };
    if (!(await this.feeds.settle(db, feed))) throw new ImportCancelled();
    return written;
  }
}

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
