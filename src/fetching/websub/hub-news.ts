import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../platform/config.js';
import { CONFIG } from '../../platform/config.token.js';
import type { Db } from '../../platform/database/database.js';
import type { FetchState } from '../../sources/fetch-states.table.js';
import type { Announcement, FetchResult } from '../fetcher.js';
import { hasMissed, lateAfter } from './missed-posts.js';
import { ending, missed } from './subscription-rules.js';
import { SubscriptionsStore } from './subscriptions.store.js';
import type { Subscription } from './subscriptions.table.js';

type Polled = Pick<FetchState, 'id' | 'pushedUntil' | 'lastSuccessAt'>;

interface News {
  result: FetchResult;
  /** Posts that were not known. */
  added: { publishedAt: Date }[];
  foundAt: Date;
}

/** What a fetch tells about the source's hub. */
@Injectable()
export class HubNews {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly store: SubscriptionsStore,
  ) {}

  /**
   * In the transaction of the fetch, which holds the source's row of `fetch_states`, before its next time is decided.
   * A fetch that brought no page costs nothing, nor does one of a source without a hub.
   */
  async fetched(db: Db, source: Polled, { result, added, foundAt }: News): Promise<void> {
    if (!this.config.publicUrl || 'unchanged' in result) return;
    const { id, pushedUntil, lastSuccessAt } = source;
    const { announces } = result;
    if (!announces && !pushedUntil) return;
    const subscription = await this.store.current(db, id);
    const isSame = subscription !== undefined && isAbout(subscription, announces);
    const published = added.map(({ publishedAt }) => publishedAt);
    const lateMs = lateAfter(this.config.websubSafetyMs);
    if (isSame && hasMissed(subscription, { published, foundAt, lastSuccessAt, lateMs })) {
      await this.store.changeHeld(db, subscription.id, (held) => missed(held, foundAt));
    }
    if (isSame) return;
    if (subscription) await this.store.changeHeld(db, subscription.id, () => ending(foundAt));
    if (announces) await this.store.begin(db, id, announces);
  }
}

function isAbout({ topicUrl, hubUrls }: Subscription, announces: Announcement | undefined): boolean {
  return topicUrl === announces?.topic && hubUrls.join(' ') === announces.hubs.join(' ');
}
