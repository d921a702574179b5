import { Injectable } from '@nestjs/common';
import type { FeedDocument } from '../fetcher.js';
import { FetchPage } from '../run/fetch-page.js';
import { FetchRecorder } from '../run/fetch-recorder.js';
import { FetchStatesStore } from '../run/fetch-states.store.js';
import { FetchStatistics } from '../run/fetch-statistics.js';
import { FetchTrace } from '../run/fetch-trace.js';
import type { PushOutcome } from './push-metrics.js';
import { pushed } from './subscription-rules.js';
import { SubscriptionsStore } from './subscriptions.store.js';
import type { Subscription } from './subscriptions.table.js';

/** The posts are committed when this returns. */
@Injectable()
export class Pushes {
  constructor(
    private readonly states: FetchStatesStore,
    private readonly pages: FetchPage,
    private readonly recorder: FetchRecorder,
    private readonly subscriptions: SubscriptionsStore,
    private readonly statistics: FetchStatistics,
  ) {}

  /** `thin`: the document has no posts that can be stored, so the source must be fetched. */
  async take(
    { id, sourceId }: Subscription,
    document: Pick<FeedDocument, 'body' | 'contentType'>,
  ): Promise<PushOutcome> {
    const source = sourceId ? await this.states.find(sourceId) : undefined;
    if (!source) return 'unknown';
    const startedAt = new Date();
    const found = await this.pages.parsePushed(source, document);
    if (!found?.length) return 'thin';
    const writeFields = this.pages.fieldWriter(source, found);
    const recorded = await this.recorder.recordPush(source.id, found, async (db, added, now) => {
      await writeFields?.(db);
      await this.subscriptions.changeHeld(db, id, (held) => pushed(held, added.length > 0, now));
    });
    if (!recorded) return 'unknown';
    const { posts, added } = recorded;
    this.statistics.pushed(source, { added, foundAt: posts.foundAt });
    const brought = new FetchTrace(source.host ?? undefined).brought({ posts: found }, recorded);
    const details = { ...brought.details, bytes: document.body.length };
    this.statistics.log({ source, cause: 'push', startedAt, report: { ...brought, details } });
    return added.length ? 'new' : 'known';
  }
}
