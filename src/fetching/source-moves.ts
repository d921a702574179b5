import { Injectable } from '@nestjs/common';
import { and, eq, gt, sql } from 'drizzle-orm';
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

  /** Gives a source that has moved for good its new id. If there is a source of that id, the two become one. */
  async move(db: Db, sourceId: string, externalId: string): Promise<AfterCommit | undefined> {
    const { takenBy } = await this.moves.rename(db, sourceId, externalId);
    if (!takenBy) return undefined;
    await this.giveNewChance(db, takenBy);
    await this.addFetches(db, sourceId, takenBy);
    await this.posts.movePosts(db, sourceId, takenBy);
    return this.moves.mergeFollows(db, sourceId, takenBy);
  }

  /** What was spent stays on the account of the budget. */
  private async addFetches(db: Db, from: string, into: string): Promise<void> {
    await db.execute(sql`
      UPDATE ${fetchStates} SET fetches = fetches + (SELECT fetches FROM ${fetchStates} AS merged WHERE merged.id = ${from})
      WHERE id = ${into}`);
  }

  /** Somebody was sent there just now: it may be back, and those who come with the other must not wait as long as it backs off. */
  private async giveNewChance(db: Db, sourceId: string): Promise<void> {
    const failed = and(eq(fetchStates.id, sourceId), gt(fetchStates.failures, 0));
    await db.update(fetchStates).set({ goneAt: null, failures: 0 }).where(failed);
  }
}
