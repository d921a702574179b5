import { Injectable } from '@nestjs/common';
import { eq } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.js';
import { Clock } from '../../platform/time/clock.js';
import { PostsStore } from '../../posts/posts.store.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import { MovesStore } from '../../sources/moves.store.js';
import { SourcesStore } from '../../sources/sources.store.js';
import type { SourceRow } from '../../sources/sources.table.js';
import type { FetchedPage } from '../fetcher.js';
import { ActiveFollowers, type AfterCommit } from '../schedule/active-followers.js';
import { HubNews } from '../websub/hub-news.js';
import { FeedDigestsStore } from './feed-digests.store.js';

/** Applies what a fetch reports about the source itself: its description, moves and renames. */
@Injectable()
export class SourceMoves {
  constructor(
    private readonly sources: SourcesStore,
    private readonly moves: MovesStore,
    private readonly activeFollowers: ActiveFollowers,
    private readonly posts: PostsStore,
    private readonly digests: FeedDigestsStore,
    private readonly hubs: HubNews,
    private readonly clock: Clock,
  ) {}

  /** Returns whether the page describes the source as it is stored. */
  hasSameDescription(
    { title, siteUrl }: Pick<SourceRow, 'title' | 'siteUrl'>,
    description: FetchedPage['source'] = {},
  ): boolean {
    return (description.title ?? title) === title && (description.siteUrl ?? siteUrl) === siteUrl;
  }

  async describe(
    db: Db,
    source: Pick<SourceRow, 'id' | 'title' | 'siteUrl'>,
    description: FetchedPage['source'] = {},
  ): Promise<void> {
    if (!this.hasSameDescription(source, description)) await this.sources.describe(db, source.id, description);
  }

  /**
   * Moves the followers of a permanently moved source to the source at the new external id, which is fetched on its
   * own. Posts, digests and the hub subscription are not moved, because a redirect does not prove who published them.
   */
  async move(db: Db, sourceId: string, externalId: string): Promise<AfterCommit | undefined> {
    const targetId = await this.moves.moveFollowers(db, sourceId, externalId);
    if (!targetId) return undefined;
    const afterCommit = await this.activeFollowers.merged(db, targetId);
    await this.digests.delete(db, sourceId);
    await this.hubs.left(db, sourceId);
    await this.posts.hideDoubles(db, targetId, this.clock.now());
    return afterCommit;
  }

  /** A source that had moved publishes by itself again. Undefined: it had not moved. */
  async revive(db: Db, sourceId: string): Promise<AfterCommit | undefined> {
    return (await this.moves.revive(db, sourceId)) ? this.activeFollowers.merged(db, sourceId) : undefined;
  }

  /** Hides duplicates after the first fetch of a source to which followers were moved. */
  async settle(db: Db, sourceId: string): Promise<void> {
    await this.posts.hideDoubles(db, sourceId, this.clock.now());
    await db.update(fetchStates).set({ movedHere: false }).where(eq(fetchStates.id, sourceId));
  }

  /** Returns the id if another source already has it: that source is the same account. See `MovesStore.rename`. */
  async rename(db: Db, sourceId: string, lastingId: string): Promise<string | undefined> {
    return (await this.moves.rename(db, sourceId, lastingId)).taken ? lastingId : undefined;
  }
}
