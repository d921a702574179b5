import { Inject, Injectable } from '@nestjs/common';
import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import { Batcher } from '../../platform/database/batcher.js';
import { inHex, packed } from '../../platform/database/columns.js';
import { Database, type Db } from '../../platform/database/database.js';
import { PreparedQuery } from '../../platform/database/prepared-query.js';
import { JOB_DONE } from '../../platform/jobs/job-columns.js';
import type { JobRun } from '../../platform/jobs/job-handler.js';
import { type Claim, claimLists } from '../../platform/jobs/job-rows.js';
import { Clock } from '../../platform/time/clock.js';
import type { FoundPost, PostTime } from '../../posts/post.js';
import { addedOf, PostsStore, type PreparedPost, type PreparedPosts } from '../../posts/posts.store.js';
import { posts } from '../../posts/posts.table.js';
import { type FetchState, fetchStates } from '../../sources/fetch-states.table.js';
import type { FetchResult } from '../fetcher.js';
import type { IntervalRules } from '../intervals/interval.js';
import { INTERVAL_RULES } from '../intervals/interval-rules.js';
import type { AfterCommit } from '../schedule/active-followers.js';
import { learnedRhythm } from '../schedule/learned-rhythm.js';
import { afterSuccess, CHANGED_BY_SUCCESS, type Success } from './after-success.js';
import { saveDigests } from './feed-digests.js';
import { fetchRows } from './fetch-jobs.js';
import type { FetchedSource } from './fetch-states.store.js';
import { isOwnPage, SourceMoves } from './source-moves.js';
import type { Walk } from './walk.js';

/** Number of stored posts from which a rhythm is learned, about as many as a feed usually contains. */
const HISTORY_LENGTH = 50;

interface FetchedNews {
  walk: Walk;
  host: string | undefined;
  slow: boolean;
}

interface RecordedFetch {
  posts: PreparedPosts;
  added: PreparedPost[];
  afterCommit?: AfterCommit | undefined;
}

interface ClaimedSuccess {
  claim: Claim;
  state: FetchState;
  success: Success;
}

const columns = CHANGED_BY_SUCCESS.map((key) => {
  const column = getTableColumns(fetchStates)[key];
  return { key, name: sql.identifier(toSnakeCase(key)), type: sql.raw(column.getSQLType()) };
});
const fields = columns.map(({ key, type }) => sql`${sql.identifier(key)} ${type}`);
const changes = columns.map(({ key, name }) => sql`${name} = changed.${sql.identifier(key)}`);

/** Rows that were changed since they were read are skipped, because the new values were computed from the old ones. */
const recording = new PreparedQuery<Claim>(sql`
  WITH changed AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(${sql.placeholder('changed')}::jsonb)
      AS changed (changed_id bigint, fence int, ${sql.join(fields, sql`, `)})
  ), held AS MATERIALIZED (
    ${fetchRows.fenced({ lists: { read_version: 'int' }, only: sql`version = read_version` })}
  )
  UPDATE ${fetchStates} SET ${JOB_DONE}, version = version + 1, ${sql.join(changes, sql`, `)}
  FROM held JOIN changed ON changed_id = held_id AND fence = held_fence WHERE id = held_id RETURNING id, fence`);

/**
 * Fetches that bring nothing new are recorded together by one statement. Others are recorded in a transaction that
 * begins with the same statement, so that nothing is written for a claim that was lost.
 */
@Injectable()
export class FetchRecorder {
  private readonly quiet = new Batcher((all: ClaimedSuccess[]) => this.write(this.database.pool, all));

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(INTERVAL_RULES) private readonly rules: IntervalRules,
    private readonly posts: PostsStore,
    private readonly moves: SourceMoves,
  ) {}

  /** Also ends the job of the run. */
  async record(source: FetchedSource, news: FetchedNews, run: JobRun): Promise<RecordedFetch> {
    const posts = await this.posts.prepare(source.id, news.walk.posts, this.clock.now());
    return run.commitTogether((claim) =>
      this.isNothingNew(source, news.walk, posts)
        ? this.recordNothingNew(claim, source, { news, posts })
        : this.recordNews(claim, source, { news, posts }),
    );
  }

  /** Call inside a transaction that has locked the row. */
  async recordUnclaimed(db: Db, state: FetchState, success: Success): Promise<void> {
    const change = afterSuccess(state, success, { rules: this.rules, now: this.clock.now() });
    await db.update(fetchStates).set(change).where(eq(fetchStates.id, state.id));
  }

  /** Does not learn before the first fetch. Undefined: the source has moved, so its hub no longer speaks for it. */
  async recordPush(
    sourceId: string,
    found: FoundPost[],
    also: (db: Db, added: PreparedPost[], now: Date) => Promise<unknown>,
  ): Promise<RecordedFetch | undefined> {
    const posts = await this.posts.prepare(sourceId, found, this.clock.now());
    return this.database.transaction(async (db) => {
      const now = this.clock.now();
      const state = await heldState(db, sourceId);
      if (state?.movedTo) return undefined;
      const added = addedOf(posts, await this.posts.save(db, posts));
      if (state?.rhythm && added.length) {
        const learned = learnedRhythm(state, { published: added, now });
        await db.update(fetchStates).set(learned).where(eq(fetchStates.id, sourceId));
      }
      await also(db, added, now);
      return { posts, added };
    });
  }

  private isNothingNew(source: FetchedSource, { first }: Walk, { posts, metrics }: PreparedPosts): boolean {
    const isUnchanged = 'unchanged' in first || !first.digests;
    return (
      isUnchanged && !posts.length && !metrics.length && !isUnlearned(source) && !this.moves.concerns(source, first)
    );
  }

  /** Undefined: another run has claimed the source. */
  private async recordNothingNew(
    claim: Claim,
    source: FetchedSource,
    { news, posts }: NewsWithPosts,
  ): Promise<RecordedFetch | undefined> {
    const fetch = { claim, state: source, success: successOf(source, news, []) };
    // A fetch that fails to be written with others is written alone, so that it can only fail itself.
    const written = await this.quiet.call(fetch).catch(() => false);
    const recorded = written || (await this.database.transaction((db) => this.writeAlone(db, fetch)));
    return recorded ? { posts, added: [] } : undefined;
  }

  private async recordNews(
    claim: Claim,
    source: FetchedSource,
    { news, posts }: NewsWithPosts,
  ): Promise<RecordedFetch | undefined> {
    const { first, gaps } = news.walk;
    const fresh = posts.posts.filter(({ isNew }) => isNew);
    return this.database.transaction(async (db) => {
      const published = isUnlearned(source) ? [...fresh, ...(await storedHistory(db, source.id))] : fresh;
      const success = { ...successOf(source, news, published), cut: isCut(first, fresh.length) };
      if (!(await this.writeAlone(db, { claim, state: source, success }))) return undefined;
      const added = addedOf(posts, await this.posts.save(db, posts));
      if (isOwnPage(first) && first.digests) await saveDigests(db, source.id, first.digests);
      const afterCommit = await this.moves.apply(db, source, { first, added, foundAt: posts.foundAt, gaps });
      return { posts, added, afterCommit };
    });
  }

  private async writeAlone(db: Db, fetch: ClaimedSuccess): Promise<boolean> {
    const [written] = await this.write(db.$client, [fetch]);
    if (written) return true;
    const state = await heldState(db, fetch.claim.id);
    const [rewritten] = state ? await this.write(db.$client, [{ ...fetch, state }]) : [];
    return rewritten ?? false;
  }

  private async write(client: Db['$client'], all: ClaimedSuccess[]): Promise<boolean[]> {
    const now = this.clock.now();
    const changed = all.map(({ claim, state, success }) => {
      const change = afterSuccess(state, success, { rules: this.rules, now });
      const rhythm = change.rhythm && inHex(packed(change.rhythm));
      return { ...change, rhythm, changed_id: claim.id, fence: claim.fence };
    });
    const rows = await recording.run(client, {
      ...claimLists(all.map(({ claim }) => claim)),
      read_version: all.map(({ state }) => state.version),
      changed: JSON.stringify(changed),
    });
    const written = new Map(rows.map(({ id, fence }) => [id, fence]));
    return all.map(({ claim }) => written.get(claim.id) === claim.fence);
  }
}

interface NewsWithPosts {
  news: FetchedNews;
  posts: PreparedPosts;
}

function successOf(source: FetchedSource, { walk, host, slow }: FetchedNews, published: PostTime[]): Success {
  const { first, gaps, error } = walk;
  return {
    // Validators of another source's page do not apply to this one.
    validators: ('servedBy' in first && first.servedBy ? undefined : first.validators) ?? {},
    allows: first.allows ?? source.allows,
    gaps,
    notBefore: error?.until ?? null,
    lastError: error?.message ?? null,
    published,
    host,
    slow,
  };
}

async function heldState(db: Db, id: string): Promise<FetchState | undefined> {
  const [state] = await db.select().from(fetchStates).where(eq(fetchStates.id, id)).for('no key update');
  return state;
}

function isCut(first: FetchResult, added: number): boolean {
  return !('unchanged' in first) && first.posts.length > 0 && !first.partly && added >= first.posts.length;
}

/** The rhythm of a source that was fetched before rhythms were learned. Its stored posts serve as its history. */
const isUnlearned = ({ rhythm, lastSuccessAt }: FetchedSource) => !rhythm && lastSuccessAt !== null;

function storedHistory(db: Db, sourceId: string): Promise<PostTime[]> {
  const { publishedAt, dated } = posts;
  return db
    .select({ publishedAt, dated })
    .from(posts)
    .where(and(eq(posts.sourceId, sourceId), dated))
    .orderBy(desc(publishedAt), desc(posts.id))
    .limit(HISTORY_LENGTH);
}
