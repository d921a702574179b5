import { Injectable } from '@nestjs/common';
import { eq } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.js';
import { Clock } from '../../platform/time/clock.js';
import { hideDoubles } from '../../posts/doubled-posts.js';
import type { PostTime } from '../../posts/post.js';
import { addBackfills } from '../../posts/reading/backfills.js';
import { fetchStates, type Gap } from '../../sources/fetch-states.table.js';
import { MovesStore } from '../../sources/moves.store.js';
import { describeSource } from '../../sources/sources.store.js';
import type { SourceRow } from '../../sources/sources.table.js';
import type { FetchedPage, FetchResult } from '../fetcher.js';
import { ActiveFollowers, type AfterCommit } from '../schedule/active-followers.js';
import { HubNews } from '../websub/hub-news.js';
import { deleteDigests } from './feed-digests.js';
import type { FetchedSource } from './fetch-jobs.js';

interface SourceNews {
  first: FetchResult;
  added: PostTime[];
  foundAt: Date;
  gaps: Gap[];
}

@Injectable()
export class SourceMoves {
  constructor(
    private readonly moves: MovesStore,
    private readonly activeFollowers: ActiveFollowers,
    private readonly hubs: HubNews,
    private readonly clock: Clock,
  ) {}

  concerns(source: FetchedSource, first: FetchResult): boolean {
    if (first.movedTo || source.movedHere) return true;
    if ('unchanged' in first) return false;
    if (first.lastingId || this.hubs.concerns(source, first)) return true;
    return !hasSameDescription(source, first.source);
  }

  /** Call inside the transaction that has recorded the fetch and saved its posts. */
  async apply(db: Db, source: FetchedSource, news: SourceNews): Promise<AfterCommit | undefined> {
    const { first, added, foundAt, gaps } = news;
    if (!this.concerns(source, first)) return undefined;
    const { id } = source;
    if (source.movedHere) await this.settle(db, id);
    let takenId: string | undefined;
    if (isOwnPage(first)) {
      await this.hubs.fetched(db, source, { result: first, added, foundAt });
      if (first.source && !hasSameDescription(source, first.source)) await describeSource(db, id, first.source);
      if (first.lastingId && (await this.moves.rename(db, id, first.lastingId)).taken) takenId = first.lastingId;
    }
    // Missing posts can only be fetched here, so followers are not moved before the gaps are filled.
    const movedTo = gaps.length ? undefined : (takenId ?? first.movedTo);
    return movedTo ? this.move(db, id, movedTo) : undefined;
  }

  /** Posts, digests and the hub subscription are not moved, because a redirect does not prove who published them. */
  async move(db: Db, sourceId: string, externalId: string): Promise<AfterCommit | undefined> {
    const moved = await this.moves.moveFollowers(db, sourceId, externalId);
    if (!moved) return undefined;
    const { targetId, newFollowers } = moved;
    await addBackfills(
      db,
      newFollowers.map((userId) => ({ userId, sourceId: targetId })),
    );
    const afterCommit = await this.activeFollowers.merged(db, targetId);
    await deleteDigests(db, sourceId);
    await this.hubs.left(db, sourceId);
    await hideDoubles(db, targetId, this.clock.now());
    return afterCommit;
  }

  async revive(db: Db, sourceId: string): Promise<AfterCommit | undefined> {
    return (await this.moves.revive(db, sourceId)) ? this.activeFollowers.merged(db, sourceId) : undefined;
  }

  private async settle(db: Db, sourceId: string): Promise<void> {
    await hideDoubles(db, sourceId, this.clock.now());
    await db.update(fetchStates).set({ movedHere: false }).where(eq(fetchStates.id, sourceId));
  }
}

export function isOwnPage(first: FetchResult): first is FetchedPage {
  return !('unchanged' in first) && first.servedBy === undefined;
}

function hasSameDescription(
  { title, siteUrl }: Pick<SourceRow, 'title' | 'siteUrl'>,
  description: FetchedPage['source'] = {},
): boolean {
  return (description.title ?? title) === title && (description.siteUrl ?? siteUrl) === siteUrl;
}
