import { Injectable } from '@nestjs/common';
import { and, eq, gt } from 'drizzle-orm';
import type { Db } from '../platform/database/database.js';
import { PostsStore } from '../posts/posts.store.js';
import type { AfterCommit } from '../sources/demand.js';
import { fetchStates } from '../sources/fetch-states.table.js';
import { MovesStore } from '../sources/moves.store.js';
import { SourcesStore } from '../sources/sources.store.js';
import type { SourceRow } from '../sources/sources.table.js';
import type { FetchedPage } from './fetcher.js';

/** What a fetch tells about the source itself. */
@Injectable()
export class SourceMoves {
  constructor(
    private readonly sources: SourcesStore,
    private readonly moves: MovesStore,
    private readonly posts: PostsStore,
  ) {}

  async describe(
    db: Db,
    { id, title, siteUrl }: Pick<SourceRow, 'id' | 'title' | 'siteUrl'>,
    told: FetchedPage['source'] = {},
  ) {
    const isKnown = (told.title ?? title) === title && (told.siteUrl ?? siteUrl) === siteUrl;
    if (!isKnown) await this.sources.describe(db, id, told);
  }

  /** Gives a source that has moved for good its new id. If there is a source of that id, the two become one. */
  async move(db: Db, sourceId: string, externalId: string): Promise<AfterCommit | undefined> {
    const { takenBy } = await this.moves.rename(db, sourceId, externalId);
    if (!takenBy) return undefined;
    await this.giveNewChance(db, takenBy);
    await this.posts.movePosts(db, sourceId, takenBy);
    return this.moves.mergeFollows(db, sourceId, takenBy);
  }

  /** Somebody was sent there just now: it may be back, and those who come with the other must not wait as long as it backs off. */
  private async giveNewChance(db: Db, sourceId: string): Promise<void> {
    const failed = and(eq(fetchStates.id, sourceId), gt(fetchStates.failures, 0));
    await db.update(fetchStates).set({ goneAt: null, failures: 0 }).where(failed);
  }
}
