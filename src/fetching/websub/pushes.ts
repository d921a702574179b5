import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Clock } from '../../platform/time/clock.js';
import type { FoundPost } from '../../posts/post.js';
import { addedOf, PostsStore, type PreparedPosts } from '../../posts/posts.store.js';
import { type FeedDocument, FetchFailure } from '../fetcher.js';
import { FeedParser } from '../parsing/feed-parser.js';
import { FetchLog } from '../run/fetch-log.js';
import { FetchMetrics } from '../run/fetch-metrics.js';
import { type FetchedSource, FetchStatesStore } from '../run/fetch-states.store.js';
import { FetchTrace } from '../run/fetch-trace.js';
import { SourceCatalogue } from '../source-catalogue.js';
import { Pings } from './pings.js';
import type { PushOutcome } from './push-metrics.js';
import { PushedSources } from './pushed-sources.js';
import { pushed } from './subscription-rules.js';
import { SubscriptionsStore } from './subscriptions.store.js';
import type { Subscription } from './subscriptions.table.js';

type PushedDocument = Pick<FeedDocument, 'body' | 'contentType'>;

/** Stores posts that a hub pushes, as if they had been fetched. They are committed when this returns. */
@Injectable()
export class Pushes {
  constructor(
    private readonly database: Database,
    private readonly states: FetchStatesStore,
    private readonly store: SubscriptionsStore,
    private readonly polled: PushedSources,
    private readonly pings: Pings,
    private readonly parser: FeedParser,
    private readonly posts: PostsStore,
    private readonly catalogue: SourceCatalogue,
    private readonly metrics: FetchMetrics,
    private readonly clock: Clock,
    private readonly log: FetchLog,
  ) {}

  async take(subscription: Subscription, document: PushedDocument): Promise<PushOutcome> {
    const source = subscription.sourceId ? await this.states.find(subscription.sourceId) : undefined;
    if (!source) return 'unknown';
    const startedAt = new Date();
    const found = await this.read(source, document);
    if (!found?.length) return this.fetchInstead(subscription);
    const posts = await this.posts.prepare(source.id, found, this.clock.now());
    const added = await this.save(subscription, source, posts);
    if (!added) return 'unknown';
    this.metrics.pushed(source, { added, foundAt: posts.foundAt });
    const brought = new FetchTrace(source.host ?? undefined).brought({ posts: found }, { posts, added });
    const details = { ...brought.details, bytes: document.body.length };
    this.log.add({ source, cause: 'push', startedAt, report: { ...brought, details } });
    return added.length ? 'new' : 'known';
  }

  /** Returns undefined if the document is not a feed or the source does not accept pushed content. */
  private async read(source: FetchedSource, document: PushedDocument): Promise<FoundPost[] | undefined> {
    const url = this.catalogue.find(source.type)?.pushedFrom?.(source);
    if (!url) return undefined;
    try {
      return (await this.parser.parse({ ...document, url })).posts;
    } catch (error) {
      if (error instanceof FetchFailure) return undefined;
      throw error;
    }
  }

  private async fetchInstead({ id }: Subscription): Promise<PushOutcome> {
    const now = this.clock.now();
    await this.store.change(id, (held) => ({ ...pushed(held, false, now), pingedAt: now }));
    await this.pings.run();
    return 'thin';
  }

  /** Returns undefined if the source has moved since the push arrived, because its hub no longer speaks for it. */
  private async save({ id }: Subscription, source: FetchedSource, prepared: PreparedPosts) {
    return this.database.transaction(async (db) => {
      const now = this.clock.now();
      const state = await this.polled.hold(db, source.id);
      if (state?.movedTo) return undefined;
      const news = addedOf(prepared, await this.posts.save(db, prepared));
      if (state) await this.polled.learn(db, state, { published: news, now });
      await this.store.changeHeld(db, id, (held) => pushed(held, news.length > 0, now));
      return news;
    });
  }
}
