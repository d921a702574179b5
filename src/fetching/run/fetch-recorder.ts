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
import {
  addedOf,
  PostsStore,
  type PreparedPost,
  type PreparedPosts,
  type SavedPosts,
} from '../../posts/posts.store.js';
import { posts } from '../../posts/posts.table.js';
import { type FetchState, fetchStates } from '../../sources/fetch-states.table.js';
import type { FetchResult } from '../fetcher.js';
import type { IntervalRules } from '../intervals/interval.js';
import { INTERVAL_RULES } from '../intervals/interval-rules.js';
import type { AfterCommit } from '../schedule/active-followers.js';
import { learnedRhythm } from '../schedule/learned-rhythm.js';
import { afterSuccess, CHANGED_BY_SUCCESS, type Success } from './after-success.js';
import { feedDigests } from './feed-digests.table.js';
import { type FetchedSource, fetchRows } from './fetch-jobs.js';
import { isOwnPage, SourceMoves } from './source-moves.js';
import type { Walk } from './walk.js';

/** Number of stored posts from which a rhythm is learned, about as many as a feed usually contains. */
const HISTORY_LENGTH = 50;

/** Maximum number of fetches recorded together. More would not be cheaper, and hold the posts of more feeds in memory. */
const MAX_TOGETHER = 20;

interface FetchedNews {
  walk: Walk;
  host: string | undefined;
  slow: boolean;
  /** Runs in the transaction that saves the posts. */
  alsoWrite?: ((db: Db) => Promise<void>) | undefined;
}

interface RecordedFetch {
  posts: PreparedPosts;
  added: PreparedPost[];
  afterCommit?: AfterCommit | undefined;
}

interface ClaimedFetch {
  claim: Claim;
  state: FetchState;
  success: Success;
  posts: PreparedPosts;
  digests: Uint8Array | undefined;
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
  ), read AS (
    INSERT INTO ${feedDigests} (id, items)
    SELECT held_id, items FROM held JOIN unnest(${sql.placeholder('digestIds')}::bigint[], ${sql.placeholder('digests')}::bytea[])
      AS digests (digests_id, items) ON digests_id = held_id
    ON CONFLICT (id) DO UPDATE SET items = excluded.items
  )
  UPDATE ${fetchStates} SET ${JOB_DONE}, version = version + 1, ${sql.join(changes, sql`, `)}
  FROM held JOIN changed ON changed_id = held_id AND fence = held_fence WHERE id = held_id RETURNING id, fence`);

/**
 * Fetches that end together are recorded together. Their posts are saved in a transaction that begins with the
 * statement that ends the jobs, so that nothing is written for a claim that was lost.
 */
@Injectable()
export class FetchRecorder {
  private readonly together = new Batcher((all: ClaimedFetch[]) => this.writeTogether(all), MAX_TOGETHER);

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(INTERVAL_RULES) private readonly rules: IntervalRules,
    private readonly posts: PostsStore,
    private readonly moves: SourceMoves,
  ) {}

  /** Also ends the job of the run. */
  async record(source: FetchedSource, news: FetchedNews, run: JobRun): Promise<RecordedFetch> {
    const posts = await this.posts.prepare(source.id, news.walk.posts);
    return run.commitTogether(async (claim) => {
      const fetch = claimedFetch(claim, source, { news, posts });
      // A fetch that fails to be written with others is written alone, so that it can only fail itself.
      const added = this.isAlone(source, news) ? undefined : await this.together.call(fetch).catch(() => undefined);
      return added ? { posts, added } : this.recordAlone(fetch, source, news);
    });
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
    const posts = await this.posts.prepare(sourceId, found);
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

  private isAlone(source: FetchedSource, { walk, alsoWrite }: FetchedNews): boolean {
    return alsoWrite !== undefined || isUnlearned(source) || this.moves.concerns(source, walk.first);
  }

  /** Undefined: another run has claimed the source. */
  private async recordAlone(
    fetch: ClaimedFetch,
    source: FetchedSource,
    { walk: { first, gaps }, alsoWrite }: FetchedNews,
  ): Promise<RecordedFetch | undefined> {
    const { posts, success } = fetch;
    return this.database.transaction(async (db) => {
      if (isUnlearned(source)) success.published.push(...(await storedHistory(db, source.id)));
      const added = (await this.writeAll(db, [fetch]))[0] ?? (await this.writeCurrent(db, fetch));
      if (!added) return undefined;
      await alsoWrite?.(db);
      const afterCommit = await this.moves.apply(db, source, { first, added, foundAt: posts.foundAt, gaps });
      return { posts, added, afterCommit };
    });
  }

  /** The row has changed since it was read, so the new values are computed from what it is now. */
  private async writeCurrent(db: Db, fetch: ClaimedFetch): Promise<PreparedPost[] | undefined> {
    const state = await heldState(db, fetch.claim.id);
    return state && (await this.writeAll(db, [{ ...fetch, state }]))[0];
  }

  private async writeTogether(all: ClaimedFetch[]): Promise<(PreparedPost[] | undefined)[]> {
    const isQuiet = all.every(({ posts: { posts, metrics } }) => !posts.length && !metrics.length);
    if (!isQuiet) return this.database.transaction((db) => this.writeAll(db, all));
    return (await this.writeStates(this.database.pool, all)).map((isWritten) => (isWritten ? [] : undefined));
  }

  /** Returns the added posts of each fetch, or undefined for one whose claim or version is outdated. */
  private async writeAll(db: Db, all: ClaimedFetch[]): Promise<(PreparedPost[] | undefined)[]> {
    const isWritten = await this.writeStates(db.$client, all);
    const written = all.filter((_, at) => isWritten[at]).map(({ posts }) => posts);
    const saved = await this.posts.saveAll(db, written);
    const added = new Map(written.map((posts, at) => [posts, addedOf(posts, saved[at] as SavedPosts)]));
    return all.map(({ posts }) => added.get(posts));
  }

  private async writeStates(client: Db['$client'], all: ClaimedFetch[]): Promise<boolean[]> {
    const now = this.clock.now();
    const changed = all.map(({ claim, state, success }) => {
      const change = afterSuccess(state, success, { rules: this.rules, now });
      const rhythm = change.rhythm && inHex(packed(change.rhythm));
      return { ...change, rhythm, changed_id: claim.id, fence: claim.fence };
    });
    const read = all.filter(({ digests }) => digests);
    const rows = await recording.run(client, {
      ...claimLists(all.map(({ claim }) => claim)),
      read_version: all.map(({ state }) => state.version),
      digestIds: read.map(({ claim }) => claim.id),
      digests: read.map(({ digests }) => digests && Buffer.from(digests)),
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

function claimedFetch(claim: Claim, source: FetchedSource, { news, posts }: NewsWithPosts): ClaimedFetch {
  const { first, gaps, error } = news.walk;
  const fresh = posts.posts.filter(({ isNew }) => isNew);
  const success = {
    // Validators of another source's page do not apply to this one.
    validators: ('servedBy' in first && first.servedBy ? undefined : first.validators) ?? {},
    allows: first.allows ?? source.allows,
    gaps,
    notBefore: error?.until ?? null,
    lastError: error?.message ?? null,
    published: fresh,
    cut: isCut(first, fresh.length),
    host: news.host,
    slow: news.slow,
  };
  const digests = isOwnPage(first) ? first.digests : undefined;
  return { claim, state: source, success, posts, digests };
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
