import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import type { Db } from '../../platform/database/database.js';
import { Clock } from '../../platform/time/clock.js';
import type { PostTime } from '../../posts/post.js';
import type { FetchState } from '../../sources/fetch-states.table.js';
import type { Announcement, FetchedPage, FetchResult } from '../fetcher.js';
import { hasAnnounced, hasMissed, lateAfter } from './missed-posts.js';
import { ended, first, isYoung, missed } from './subscription-rules.js';
import { SubscriptionsStore } from './subscriptions.store.js';
import type { Subscription } from './subscriptions.table.js';

type PolledSource = Pick<FetchState, 'id' | 'hasHub' | 'lastSuccessAt'>;

interface News {
  result: FetchResult;
  added: PostTime[];
  foundAt: Date;
}

type JudgedPosts = Pick<News, 'added' | 'foundAt'> & Pick<PolledSource, 'lastSuccessAt'>;

@Injectable()
export class HubNews {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly store: SubscriptionsStore,
    private readonly clock: Clock,
  ) {}

  concerns({ hasHub }: Pick<FetchState, 'hasHub'>, { announces }: FetchedPage): boolean {
    return this.config.publicUrl !== undefined && (announces !== undefined || hasHub);
  }

  /** Call inside the transaction that recorded the fetch and so locked the source's row of `fetch_states`. */
  async fetched(db: Db, source: PolledSource, news: News): Promise<void> {
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

  /** Call inside a transaction that has locked the source's row of `fetch_states`. */
  async left(db: Db, sourceId: string): Promise<void> {
    const subscription = await this.store.current(db, sourceId);
    if (subscription) await this.store.changeHeld(db, subscription.id, (held) => ended(held, this.clock.now()));
  }

  private async judge(
    db: Db,
    subscription: Subscription,
    { added, foundAt, lastSuccessAt }: JudgedPosts,
  ): Promise<void> {
    if (!added.length) return;
    const lateMs = lateAfter(this.config.websubSafetyMs);
    if (hasAnnounced(subscription, lastSuccessAt)) {
      await this.store.changeHeld(db, subscription.id, (held) => first(held, foundAt));
    } else if (hasMissed(subscription, { published: added, foundAt, lastSuccessAt, lateMs })) {
      await this.store.changeHeld(db, subscription.id, (held) => missed(held, foundAt));
    }
  }
}

function isAbout({ topicUrl, hubUrls }: Subscription, announces: Announcement | undefined): boolean {
  return topicUrl === announces?.topic && hubUrls.join(' ') === announces.hubs.join(' ');
}
