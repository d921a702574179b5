import { Injectable } from '@nestjs/common';
import { and, eq } from 'drizzle-orm';
import type { FetchedPage, FetchFailure } from '../../fetching/fetcher.js';
import { SourceMoves } from '../../fetching/run/source-moves.js';
import { FirstFetch } from '../../fetching/schedule/first-fetch.js';
import { Following } from '../../following/following.js';
import { Database } from '../../platform/database/database.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import { describeSource, SourcesStore } from '../../sources/sources.store.js';
import type { SourceIdentity } from '../../sources/sources.table.js';
import type { ImportedFeed } from './imported-feeds.store.js';

/** All operations may be repeated after a crash. */
@Injectable()
export class ImportedSources {
  constructor(
    private readonly database: Database,
    private readonly sources: SourcesStore,
    private readonly moves: SourceMoves,
    private readonly following: Following,
    private readonly firstFetch: FirstFetch,
  ) {}

  /** Returns the source with exactly this identity, never one that it claims to be or has moved to. */
  idOf(identity: SourceIdentity): Promise<string> {
    return this.sources.ensureOwn(this.database.db, identity);
  }

  /** Handles a feed that was just fetched. Its items belong to the source that answered. */
  async fetched(feed: ImportedFeed, page: FetchedPage): Promise<{ sourceId: string; externalId: string }> {
    const { type, externalId } = { type: feed.type, externalId: page.servedBy ?? feed.externalId };
    const sourceId = await this.idOf({ type, externalId });
    if (page.source) await describeSource(this.database.db, sourceId, page.source);
    if (feed.follow) {
      // The source answered itself, so an earlier move no longer applies.
      await (await this.database.transaction((db) => this.moves.revive(db, sourceId)))?.();
      await this.follow({ ...feed, externalId }, sourceId, page);
      if (feed.fields) await this.keepFields(sourceId);
    }
    return { sourceId, externalId };
  }

  /** A feed that fails is followed anyway, because the user asked for it. */
  async failed(feed: ImportedFeed, failure: FetchFailure): Promise<void> {
    if (feed.follow) await this.follow(feed, await this.idOf(feed), failure);
  }

  private async keepFields(sourceId: string): Promise<void> {
    const { id, keepsFields } = fetchStates;
    const isNew = and(eq(id, sourceId), eq(keepsFields, false));
    await this.database.db.update(fetchStates).set({ keepsFields: true }).where(isNew);
  }

  /** The fetch is recorded first, so that following does not trigger a second one. */
  private async follow(feed: ImportedFeed, sourceId: string, came: FetchedPage | FetchFailure): Promise<void> {
    const { type, externalId, userId, folder, title } = feed;
    await this.firstFetch.record(sourceId, came);
    await this.following.followAll(userId, [{ type, externalId, folder, title }]);
  }
}
