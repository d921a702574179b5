import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../platform/config.js';
import { CONFIG } from '../../platform/config.js';
import type { Db } from '../../platform/database/database.js';
import { Clock } from '../../platform/time/clock.js';
import type { FetchState } from '../../sources/fetch-states.table.js';
import type { Announcement, FetchedPage, FetchResult } from '../fetcher.js';
import { hasMissed, hasTold, lateAfter } from './missed-posts.js';
import { ended, first, isYoung, missed } from './subscription-rules.js';
import { SubscriptionsStore } from './subscriptions.store.js';
import type { Subscription } from './subscriptions.table.js';

type Polled = Pick<FetchState, 'id' | 'hasHub' | 'lastSuccessAt'>;

interface News {
  result: FetchResult;
  /** Posts that were not known. */
  added: { publishedAt: Date }[];
  foundAt: Date;
}

type Judged = Pick<News, 'added' | 'foundAt'> & Pick<Polled, 'lastSuccessAt'>;

/** What a fetch tells about the source's hub. */
@Injectable()
export class HubNews {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly store: SubscriptionsStore,
    private readonly clock: Clock,
  ) {}

  /** Whether what a page says of hubs may change anything. */
  concerns({ hasHub }: Pick<FetchState, 'hasHub'>, { announces }: FetchedPage): boolean {
    return this.config.publicUrl !== undefined && (announces !== undefined || hasHub);
  }

  /**
   * In the transaction of the fetch, which holds the source's row of `fetch_states`, before its next time is decided.
   * A fetch that brought no page costs nothing, nor does one of a source without a hub.
   */
  async fetched(db: Db, source: Polled, news: News): Promise<void> {
    const { result, foundAt } = news;
    if ('unchanged' in result || !this.concerns(source, result)) return;
    const { announces } = result;
    const subscription = await this.store.current(db, source.id);
    if (subscription) {
      await this.judge(db, subscription, { ...news, lastSuccessAt: source.lastSuccessAt });
      if (isAbout(subscription, announces) || isYoung(subscription, foundAt)) return;
      await this.store.changeHeld(db, subscription.id, (held) => ended(held, foundAt));
    }
    if (announces) await this.store.begin(db, source.id, announces);
  }

  /** The source has moved: its hub speaks for it no longer. In a transaction that holds the source's row of `fetch_states`. */
  async left(db: Db, sourceId: string): Promise<void> {
    const subscription = await this.store.current(db, sourceId);
    if (subscription) await this.store.changeHeld(db, subscription.id, (held) => ended(held, this.clock.now()));
  }

  /** By what the fetch has found, if the hub should have been first with it. */
  private async judge(db: Db, subscription: Subscription, { added, foundAt, lastSuccessAt }: Judged): Promise<void> {
    if (!added.length) return;
    const published = added.map(({ publishedAt }) => publishedAt);
    const lateMs = lateAfter(this.config.websubSafetyMs);
    if (hasTold(subscription, lastSuccessAt)) {
      await this.store.changeHeld(db, subscription.id, (held) => first(held, foundAt));
    } else if (hasMissed(subscription, { published, foundAt, lastSuccessAt, lateMs })) {
      await this.store.changeHeld(db, subscription.id, (held) => missed(held, foundAt));
    }
  }
}

function isAbout({ topicUrl, hubUrls }: Subscription, announces: Announcement | undefined): boolean {
  return topicUrl === announces?.topic && hubUrls.join(' ') === announces.hubs.join(' ');
}
