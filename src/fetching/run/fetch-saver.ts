import { Injectable } from '@nestjs/common';
import { and, desc, eq } from 'drizzle-orm';
import { Database, type Db } from '../../platform/database/database.js';
import type { Claim } from '../../platform/jobs/job-rows.js';
import { Clock } from '../../platform/time/clock.js';
import type { PostTime } from '../../posts/post.js';
import { addedOf, PostsStore, type PreparedPost, type PreparedPosts } from '../../posts/posts.store.js';
import { posts } from '../../posts/posts.table.js';
import type { FetchedPage, FetchResult } from '../fetcher.js';
import type { AfterCommit } from '../schedule/active-followers.js';
import { SourceCatalogue } from '../source-catalogue.js';
import { HubNews } from '../websub/hub-news.js';
import type { Success } from './after-success.js';
import { EndedFetches } from './ended-fetches.js';
import { FeedDigestsStore } from './feed-digests.store.js';
import { type FetchedSource, FetchStatesStore } from './fetch-states.store.js';
import { SourceMoves } from './source-moves.js';
import type { Walk } from './walk.js';

/** Number of stored posts from which a rhythm is learned, about as many as a feed usually contains. */
const NEWEST = 50;

/** The result of a fetch, before it is saved. */
export interface Fetched {
  found: Walk;
  posts: PreparedPosts;
  slow: boolean;
}

export interface SavedFetch {
  added: PreparedPost[];
  afterCommit?: AfterCommit | undefined;
}

/** Saves the result of a fetch inside the transaction that ends its job. */
@Injectable()
export class FetchSaver {
  constructor(
    private readonly database: Database,
    private readonly states: FetchStatesStore,
    private readonly ended: EndedFetches,
    private readonly posts: PostsStore,
    private readonly digests: FeedDigestsStore,
    private readonly hubs: HubNews,
    private readonly moves: SourceMoves,
    private readonly catalogue: SourceCatalogue,
    private readonly clock: Clock,
  ) {}

  /** Returns whether only posts and the source's own state need to be written: no move, rename, hub or description. */
  isUsual(source: FetchedSource, { found: { first } }: Fetched): boolean {
    if (first.movedTo || source.movedHere || isUnlearned(source)) return false;
    if ('unchanged' in first) return true;
    if (first.lastingId) return false;
    return !this.hubs.concerns(source, first) && this.moves.hasSameDescription(source, first.source);
  }

  /** Returns whether a usual fetch brought no posts either. */
  isQuiet({ found: { first }, posts }: Fetched): boolean {
    return !posts.posts.length && !posts.metrics.length && ('unchanged' in first || !first.digests);
  }

  /**
   * Writes the fetch and the end of its job in one statement with others. Returns undefined if another run has claimed
   * the source.
   */
  async saveQuiet(claim: Claim, source: FetchedSource, fetched: Fetched): Promise<SavedFetch | undefined> {
    return (await this.ended.record(claim, source, this.successOf(source, fetched))) && { added: [] };
  }

  /**
   * Writes state and the end of the job first, in one statement. Returns undefined if another run has claimed the
   * source.
   */
  async saveUsual(claim: Claim, source: FetchedSource, fetched: Fetched): Promise<SavedFetch | undefined> {
    const { first } = fetched.found;
    const fresh = fetched.posts.posts.filter(({ isNew }) => isNew);
    const success = { ...this.successOf(source, fetched), published: fresh, cut: isCut(first, fresh.length) };
    return this.database.transaction(async (db) => {
      if (!(await this.ended.recordIn(db, claim, { source, success }))) return undefined;
      const added = addedOf(fetched.posts, await this.posts.save(db, fetched.posts));
      if ('digests' in first && first.digests) await this.digests.save(db, source.id, first.digests);
      return { added };
    });
  }

  async save(db: Db, source: FetchedSource, fetched: Fetched): Promise<SavedFetch> {
    const { first, gaps } = fetched.found;
    const page = ownPage(first);
    const added = addedOf(fetched.posts, await this.posts.save(db, fetched.posts));
    if (source.movedHere) await this.moves.settle(db, source.id);
    if (page?.digests) await this.digests.save(db, source.id, page.digests);
    if (page) await this.hubs.fetched(db, source, { result: page, added, foundAt: fetched.posts.foundAt });
    const success = {
      ...this.successOf(source, fetched),
      published: await this.published(db, source, added),
      cut: isCut(first, added.length),
    };
    await this.states.succeeded(db, source.id, success, this.clock.now());
    await this.moves.describe(db, source, page?.source);
    const takenId = page?.lastingId && (await this.moves.rename(db, source.id, page.lastingId));
    // Missing posts can only be fetched here, so followers are not moved before the gaps are filled.
    const movedTo = gaps.length ? undefined : (takenId ?? first.movedTo);
    return { added, afterCommit: movedTo ? await this.moves.move(db, source.id, movedTo) : undefined };
  }

  private successOf(source: FetchedSource, { found: { first, gaps, error }, slow }: Fetched): Success {
    return {
      // Validators of another source's page do not apply to this one.
      validators: ('servedBy' in first && first.servedBy ? undefined : first.validators) ?? {},
      allows: first.allows ?? source.allows,
      gaps,
      notBefore: error?.until ?? null,
      lastError: error?.message ?? null,
      published: [],
      host: this.catalogue.hostOf(source),
      slow,
    };
  }

  /** For a source whose rhythm was never learned, the stored posts serve as its history. */
  private async published(db: Db, source: FetchedSource, added: PreparedPost[]): Promise<PostTime[]> {
    return isUnlearned(source) ? storedHistory(db, source.id) : added;
  }
}

function ownPage(first: FetchResult): FetchedPage | undefined {
  return 'unchanged' in first || first.servedBy !== undefined ? undefined : first;
}

/** Returns whether everything on the page was new. */
function isCut(first: FetchResult, added: number): boolean {
  return !('unchanged' in first) && first.posts.length > 0 && !first.partly && added >= first.posts.length;
}

const isUnlearned = ({ rhythm, lastSuccessAt }: FetchedSource) => !rhythm && lastSuccessAt !== null;

/** The newest stored posts that have a date of their own. */
function storedHistory(db: Db, sourceId: string): Promise<PostTime[]> {
  const { publishedAt, dated } = posts;
  return db
    .select({ publishedAt, dated })
    .from(posts)
    .where(and(eq(posts.sourceId, sourceId), dated))
    .orderBy(desc(publishedAt), desc(posts.id))
    .limit(NEWEST);
}
