import { Injectable } from '@nestjs/common';
import type { Db } from '../../platform/database/database.js';
import { Handles, type JobHandler, type JobRun } from '../../platform/jobs/job-handler.js';
import { GiveUp, RetryLater } from '../../platform/jobs/outcomes.js';
import type { FoundPost } from '../../posts/post.js';
import { FeedReader } from '../feeds/feed-reader.js';
import { ImportedSources } from '../feeds/imported-sources.js';
import { type ImportItemJob, importItemJob } from '../import-jobs.js';
import { type FailedItemOfFeed, ImportItemsStore } from './import-items.store.js';
import { ItemWriter } from './item-writer.js';
import { checkItem, type StagedItem } from './staged-item.js';

/** Stores one item that failed before: as it was if that is possible now, otherwise as its feed shows it now. */
@Injectable()
@Handles(importItemJob)
export class ReplayItemWorker implements JobHandler<ImportItemJob> {
  constructor(
    private readonly items: ImportItemsStore,
    private readonly sources: ImportedSources,
    private readonly reader: FeedReader,
    private readonly writer: ItemWriter,
  ) {}

  async run({ itemId }: ImportItemJob, run: JobRun) {
    const failed = await this.items.findFailed(itemId);
    if (!failed) return;
    const post = await this.storablePost(failed, run);
    const sourceId = await this.sources.idOf(failed.source);
    await this.writer.writeReplayed(failed, { sourceId, post }, run);
    run.report({ result: 'imported', details: { stored: 1, failed: 0 } });
  }

  async failed(db: Db, { itemId }: ImportItemJob, reason: string) {
    await this.items.failedAgain(db, itemId, reason);
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

  /** An item without an id is found by its position, unless the item there was imported as another one. */
  private async shownNow(failed: FailedItemOfFeed, run: JobRun): Promise<StagedItem | undefined> {
    const { externalId, place, importId } = failed;
    const items = await this.read(failed, run);
    if (externalId !== null) return items.find(({ post }) => post?.externalId === externalId);
    const there = items.find((item) => item.place === place);
    if (!there?.post) return there;
    const sourceId = await this.sources.idOf(failed.source);
    return (await this.items.has(importId, sourceId, there.post.externalId)) ? undefined : there;
  }

  private async read({ source, fields }: FailedItemOfFeed, run: JobRun): Promise<StagedItem[]> {
    try {
      return await this.reader.readNewest(source, { fields, signal: run.signal });
    } catch (error) {
      if (run.signal.aborted) throw error;
      const next = this.reader.nextTry(error, null);
      if (next?.kind === 'later') throw new RetryLater(next.until, next.reason);
      throw next?.kind === 'never' ? new GiveUp(next.reason) : error;
    }
  }
}
