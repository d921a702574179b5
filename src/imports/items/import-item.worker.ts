import { Injectable } from '@nestjs/common';
import { FetchPage } from '../../fetching/run/fetch-page.js';
import type { Db } from '../../platform/database/database.js';
import { Events } from '../../platform/events/events.js';
import { Handles, type JobHandler, type JobRun } from '../../platform/jobs/job-handler.js';
import { GiveUp, RetryLater } from '../../platform/jobs/outcomes.js';
import { Clock } from '../../platform/time/clock.js';
import type { FoundPost } from '../../posts/post.js';
import { PostsStore } from '../../posts/posts.store.js';
import type { SourceIdentity } from '../../sources/sources.table.js';
import { HostSlots } from '../feeds/host-slots.js';
import { ImportedSources } from '../feeds/imported-sources.js';
import { nextTry } from '../feeds/next-try.js';
import { importChanged } from '../import-changed.event.js';
import { type ImportItemJob, importItemJob } from '../import-jobs.js';
import { ImportMetrics } from '../import-metrics.js';
import { type FailedItemOfFeed, FailedItemsStore } from './failed-items.store.js';
import { pathsOf } from './field-mapping.js';
import { ImportBatchesStore } from './import-batches.store.js';
import { type StagedItem, stagedItems } from './staged-item.js';
import { checkItem } from './storable-item.js';
import { StoredItemsStore, storedItems } from './stored-items.store.js';

/** Stores one item that failed before: as it was if that is possible now, otherwise as its feed shows it now. */
@Injectable()
@Handles(importItemJob)
export class ImportItemWorker implements JobHandler<ImportItemJob> {
  constructor(
    private readonly failedItems: FailedItemsStore,
    private readonly batches: ImportBatchesStore,
    private readonly storedItems: StoredItemsStore,
    private readonly sources: ImportedSources,
    private readonly posts: PostsStore,
    private readonly pages: FetchPage,
    private readonly slots: HostSlots,
    private readonly events: Events,
    private readonly clock: Clock,
    private readonly metrics: ImportMetrics,
  ) {}

  async run({ itemId }: ImportItemJob, run: JobRun) {
    const failed = await this.failedItems.find(itemId);
    if (!failed) return;
    const post = await this.storablePost(failed, run);
    const sourceId = await this.sources.idOf(failed.source);
    const prepared = await this.posts.prepare(sourceId, [post], this.clock.now());
    const outcome = await run.commit(async (db) => {
      const { id: itemId, batchId: id, importId } = failed;
      const [stored] = storedItems([post], await this.posts.save(db, prepared));
      if (!stored) throw new Error('a post was saved and is not there');
      await this.storedItems.insert(db, { id, importId }, [stored]);
      await this.failedItems.stored(db, itemId, stored.postId);
      await this.batches.count(db, id);
      await this.events.publish(db, importChanged, { importId });
      return stored.outcome;
    });
    run.report({ result: 'imported', details: { stored: 1, failed: 0 } });
    this.metrics.written({ stored: [outcome], failed: 0 });
  }

  async failed(db: Db, { itemId }: ImportItemJob, reason: string) {
    await this.failedItems.failedAgain(db, itemId, reason, this.clock.now());
  }

  private async storablePost(failed: FailedItemOfFeed, run: JobRun): Promise<FoundPost> {
    const asItWas = checkItem(failed.item, failed.fields);
    if ('post' in asItWas) return asItWas.post;
    const shown = await this.shownNow(failed, run);
    if (!shown) throw new GiveUp(`${asItWas.reason}; its feed does not show it any more`);
    const checked = checkItem(shown, failed.fields);
    if ('reason' in checked) throw new GiveUp(checked.reason);
    return checked.post;
  }

  /**
   * Finds the item by its id, or by its position if it has none and the item there was not imported as another one.
   */
  private async shownNow({ source, fields, externalId, place, importId }: FailedItemOfFeed, run: JobRun) {
    const items = await this.fetch(source, fields ? pathsOf(fields) : undefined, run);
    if (externalId !== null) return items.find(({ post }) => post?.externalId === externalId);
    const [there] = items.filter((item) => item.place === place);
    return there?.post && (await this.isImported(importId, source, there.post)) ? undefined : there;
  }

  private async isImported(importId: string, source: SourceIdentity, { externalId }: { externalId: string }) {
    const known = await this.posts.known(await this.sources.idOf(source), [externalId]);
    const postId = known.get(externalId);
    return postId !== undefined && this.storedItems.has(importId, postId);
  }

  private async fetch(source: SourceIdentity, fields: Record<string, string[]> | undefined, run: JobRun) {
    try {
      const slot = await this.slots.take(this.slots.hostOf(source, null), run.signal);
      if (slot) throw new RetryLater(slot, 'it waits for a request slot of its host');
      const page = await this.pages.fetch(source, { fields, signal: run.signal });
      // A page served by another source does not contain this source's items.
      return 'unchanged' in page || page.servedBy ? ([] satisfies StagedItem[]) : stagedItems(page);
    } catch (error) {
      if (run.signal.aborted || error instanceof RetryLater) throw error;
      const now = this.clock.now();
      const next = nextTry(error, { startedAt: now, now });
      if (next?.kind === 'later') throw new RetryLater(next.until, next.reason);
      throw next?.kind === 'never' ? new GiveUp(next.reason) : error;
    }
  }
}
