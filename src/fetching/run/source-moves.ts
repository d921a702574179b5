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

/** What a fetch tells about the source itself. */
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

  /** Whether a page tells of it what is known. */
  isAsDescribed({ title, siteUrl }: Pick<SourceRow, 'title' | 'siteUrl'>, told: FetchedPage['source'] = {}): boolean {
    return (told.title ?? title) === title && (told.siteUrl ?? siteUrl) === siteUrl;
  }

  async describe(
    db: Db,
    source: Pick<SourceRow, 'id' | 'title' | 'siteUrl'>,
    told: FetchedPage['source'] = {},
  ): Promise<void> {
    if (!this.isAsDescribed(source, told)) await this.sources.describe(db, source.id, told);
  }

  /**
   * A source has moved for good: its followers go to the source at the new external id, which is fetched as itself. Posts,
   * digests and its hub stay behind, for a redirect is no proof of who published them.
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

  /** The first fetch after others have moved here has shown what both have published. */
  async settle(db: Db, sourceId: string): Promise<void> {
    await this.posts.hideDoubles(db, sourceId, this.clock.now());
    await db.update(fetchStates).set({ movedHere: false }).where(eq(fetchStates.id, sourceId));
  }

  /** See `MovesStore.rename`. Returns the id if another source has it: that one is the same account. */
  async rename(db: Db, sourceId: string, lastingId: string): Promise<string | undefined> {
    return (await this.moves.rename(db, sourceId, lastingId)).taken ? lastingId : undefined;
  }
}
