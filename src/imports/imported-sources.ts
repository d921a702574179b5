import { Injectable } from '@nestjs/common';
import type { FetchedPage, FetchFailure } from '../fetching/fetcher.js';
import { FirstFetch } from '../fetching/first-fetch.js';
import { Database } from '../platform/database/database.js';
import { Following } from '../sources/following.js';
import type { SourceIdentity } from '../sources/source-types.js';
import { keyOf, SourcesStore } from '../sources/sources.store.js';
import type { ImportedFeed } from './imported-feeds.store.js';

/** The sources that imported feeds become. All of it may be done again after a crash. */
@Injectable()
export class ImportedSources {
  constructor(
    private readonly database: Database,
    private readonly sources: SourcesStore,
    private readonly following: Following,
    private readonly firstFetch: FirstFetch,
  ) {}

  /** Made if it is new; one that was merged into another is found as that. */
  async idOf(identity: SourceIdentity): Promise<string> {
    const id = (await this.sources.ensure(this.database.db, [identity])).get(keyOf(identity));
    if (!id) throw new Error(`the source ${keyOf(identity)} vanished while being made`);
    return id;
  }

  /** For a feed that was fetched just now. One that has moved for good is imported as what it has moved to. */
  async fetched(feed: ImportedFeed, page: FetchedPage): Promise<{ sourceId: string; externalId: string }> {
    const { type, externalId } = { type: feed.type, externalId: page.movedTo ?? feed.externalId };
    const sourceId = await this.idOf({ type, externalId });
    if (page.source) await this.sources.describe(this.database.db, sourceId, page.source);
    if (feed.follow) await this.follow({ ...feed, externalId }, sourceId, page);
    return { sourceId, externalId };
  }

  /** Who brings a feed along follows it, even if it does not answer today. */
  async failed(feed: ImportedFeed, failure: FetchFailure): Promise<void> {
    if (feed.follow) await this.follow(feed, await this.idOf(feed), failure);
  }

  /** Recorded first: then the follow does not have it fetched a second time. */
  private async follow(feed: ImportedFeed, sourceId: string, came: FetchedPage | FetchFailure): Promise<void> {
    const { type, externalId, userId, folder, title } = feed;
    await this.firstFetch.record(sourceId, came);
    await this.following.followAll(userId, [{ type, externalId, folder, title }]);
  }
}
