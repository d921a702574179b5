import { Injectable } from '@nestjs/common';
import { and, desc, eq, sql } from 'drizzle-orm';
import { Database, type Db } from '../../platform/database/database.js';
import type { Claim } from '../../platform/queue/job-rows.js';
import { Clock } from '../../platform/time/clock.js';
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

/** As many as a feed shows as a rule. */
const NEWEST = 50;

/** What a fetch has brought. */
export interface Fetched {
  found: Walk;
  posts: PreparedPosts;
  /** Whether it took long. */
  slow: boolean;
}

export interface SavedFetch {
  /** Posts that are new. */
  added: PreparedPost[];
  afterCommit?: AfterCommit | undefined;
}

/** Saves what a fetch has brought, inside the transaction that ends its job; of a quiet one there is little. */
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

  /** Nothing is to be written but posts and the source's own state, which nothing else has a say in. */
  isUsual(source: FetchedSource, { found: { first } }: Fetched): boolean {
    if (first.movedTo || source.movedHere || isUnlearned(source)) return false;
    if ('unchanged' in first) return true;
    if (first.lastingId) return false;
    return !this.hubs.concerns(source, first) && this.moves.isAsDescribed(source, first.source);
  }

  /** Of a usual one: not even posts. */
  isQuiet({ found: { first }, posts }: Fetched): boolean {
    return !posts.posts.length && !posts.metrics.length && ('unchanged' in first || !first.digests);
  }

  /** Together with others that end at the same time, their jobs included. Undefined if another run has taken the source. */
  async saveQuiet(claim: Claim, source: FetchedSource, fetched: Fetched): Promise<SavedFetch | undefined> {
    return (await this.ended.record(claim, source, this.successOf(source, fetched))) && { added: [] };
  }

  /** The state first, in one statement with the end of the job. Undefined if another run has taken the source. */
  async saveUsual(claim: Claim, source: FetchedSource, fetched: Fetched): Promise<SavedFetch | undefined> {
    const { first } = fetched.found;
    const fresh = fetched.posts.posts.filter(({ isNew }) => isNew);
    const published = fresh.map(({ publishedAt }) => publishedAt);
    const success = { ...this.successOf(source, fetched), published, cut: isCut(first, fresh.length) };
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
    // What is missing can be fetched here only, so that followers stay until it was.
    const movedTo = gaps.length ? undefined : (takenId ?? first.movedTo);
    return { added, afterCommit: movedTo ? await this.moves.move(db, source.id, movedTo) : undefined };
  }

  private successOf(source: FetchedSource, { found: { first, gaps, trouble }, slow }: Fetched): Success {
    return {
      // Those of another source's page say nothing about this one.
      validators: ('servedBy' in first && first.servedBy ? undefined : first.validators) ?? {},
      allows: first.allows ?? source.allows,
      gaps,
      notBefore: trouble?.until ?? null,
      lastError: trouble?.message ?? null,
      published: [],
      host: this.catalogue.hostOf(source),
      slow,
    };
  }

  /** Of a source that was fetched before anything was learned of it, what is stored is its history. */
  private async published(db: Db, source: FetchedSource, added: PreparedPost[]): Promise<Date[]> {
    return isUnlearned(source) ? storedHistory(db, source.id) : added.map(({ publishedAt }) => publishedAt);
  }
}

function ownPage(first: FetchResult): FetchedPage | undefined {
  return 'unchanged' in first || first.servedBy !== undefined ? undefined : first;
}

/** All that was shown was new. */
function isCut(first: FetchResult, added: number): boolean {
  return !('unchanged' in first) && first.posts.length > 0 && !first.partly && added >= first.posts.length;
}

const isUnlearned = ({ rhythm, lastSuccessAt }: FetchedSource) => !rhythm && lastSuccessAt !== null;

/** When the newest stored posts of a source were published, as far as they said so. For one that nothing was learned of yet. */
async function storedHistory(db: Db, sourceId: string): Promise<Date[]> {
  const { publishedAt, foundAt } = posts;
  const stored = await db
    .select({ publishedAt })
    .from(posts)
    .where(and(eq(posts.sourceId, sourceId), sql`${publishedAt} < ${foundAt} - interval '1 second'`))
    .orderBy(desc(publishedAt), desc(posts.id))
    .limit(NEWEST);
  return stored.map((post) => post.publishedAt);
}
