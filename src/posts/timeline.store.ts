import { Injectable } from '@nestjs/common';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { Database } from '../platform/database/database.js';
import { follows } from '../sources/follows.table.js';
import { type FeedItem, toFeedItem } from './feed-item.js';
import { marks } from './marks.table.js';
import { posts, postWords, unindexedPosts } from './posts.table.js';
import type { TimelinePosition } from './timeline-position.js';
import {
  byIds,
  byNewestSources,
  downToFloor,
  inFolder,
  ofOneSource,
  type PostRow,
  personal,
  type Standing,
  type Stored,
  shownOf,
  standingOfSource,
  standingOfUser,
  storedAfter,
  unreadOnly,
} from './timeline-queries.js';

export type TimelinePost = Omit<FeedItem, 'read' | 'starred'>;

export interface TimelineFilter {
  source?: string | undefined;
  folder?: string | undefined;
  q?: string | undefined;
  unread?: boolean | undefined;
  starred?: boolean | undefined;
}

export interface Stretch {
  after?: TimelinePosition | undefined;
  limit: number;
}

const NEWEST: Pick<PageValues, 'beforeAt' | 'beforeId'> = { beforeAt: 'infinity', beforeId: '9223372036854775807' };
/** A page rarely spans more than this many times the span of the page before. */
const FURTHEST_REACH = 4;
/** The earliest time with the same notation in JavaScript and PostgreSQL. */
const FIRST_MOMENT = Date.parse('0001-01-01T00:00:00Z');

@Injectable()
export class TimelineStore {
  constructor(private readonly database: Database) {}

  async list(userId: string, filter: TimelineFilter, stretch: Stretch): Promise<TimelinePost[]> {
    const { source, folder = null, q, unread, starred } = filter;
    const values = { ...pageValues(stretch), userId, folder };
    if (q !== undefined || starred) return toPosts(await this.search(userId, filter, stretch));
    if (unread) return toPosts(await unreadOnly.run(this.database.pool, { ...values, sourceId: source ?? null }));
    if (source !== undefined) return toPosts(await this.search(userId, filter, stretch));
    return toPosts(await this.merged(values, stretch));
  }

  async ofSource(sourceId: string, stretch: Stretch): Promise<TimelinePost[]> {
    return toPosts(await ofOneSource.run(this.database.pool, { ...pageValues(stretch), sourceId }));
  }

  /** Returns posts unordered. */
  async find(postIds: string[]): Promise<TimelinePost[]> {
    return toPosts(await byIds.run(this.database.pool, { postIds }));
  }

  /** Returns posts unordered. Some of them may have been stored shortly before that post. */
  storedAfter(userId: string, afterId: string, limit: number): Promise<Stored[]> {
    return storedAfter.run(this.database.pool, { userId, afterId, limit });
  }

  /** Leaves out posts that are neither of a followed source nor starred. */
  async asReadBy(userId: string, found: TimelinePost[]): Promise<FeedItem[]> {
    if (!found.length) return [];
    const [postIds, sourceIds] = [found.map(({ id }) => id), found.map(({ sourceId }) => sourceId)];
    const rows = await personal.run(this.database.pool, { userId, postIds, sourceIds });
    const own = new Map(rows.map((row) => [row.id, row]));
    return found.flatMap((post) => {
      const mine = own.get(post.id);
      return mine ? [personalised(post, mine)] : [];
    });
  }

  async newestId(): Promise<string> {
    const { rows } = await this.database.db.execute<{ id: string }>(
      sql`SELECT coalesce(max(id), 0)::bigint AS id FROM ${posts}`,
    );
    return rows[0]?.id ?? '0';
  }

  async followedTitles(userId: string): Promise<Map<string, string | null>> {
    const rows = await this.database.db
      .select({ id: follows.sourceId, title: follows.title })
      .from(follows)
      .where(eq(follows.userId, userId));
    return new Map(rows.map(({ id, title }) => [id, title]));
  }

  async standingOf(of: { userId: string } | { sourceId: string }): Promise<Standing> {
    const query = 'userId' in of ? standingOfUser : standingOfSource;
    const [standing] = await query.run(this.database.pool, of);
    if (!standing) throw new Error('an aggregate without a row');
    return standing;
  }

  async follows(userId: string, sourceId: string): Promise<boolean> {
    return (await this.database.db.$count(follows, sql`user_id = ${userId} AND source_id = ${sourceId}`)) === 1;
  }

  /** A later page is first searched in a limited time span, which costs a third. */
  private async merged(values: PageValues, { after, limit }: Stretch): Promise<PostRow[]> {
    if (after) {
      const floor = new Date(Math.max(FIRST_MOMENT, Date.parse(after[0]) - FURTHEST_REACH * after[2])).toISOString();
      const rows = await downToFloor.run(this.database.pool, { ...values, floor });
      if (rows.length >= limit) return rows;
    }
    return byNewestSources.run(this.database.pool, { ...values });
  }

  private async search(userId: string, filter: TimelineFilter, { after, limit }: Stretch): Promise<PostRow[]> {
    const found = sql`
      SELECT p.id, p.published_at ${filter.starred ? starredBy(userId) : followedBy(userId)}
      WHERE ${and(sql`p.removed_at IS NULL`, ...conditions(filter), after && isAfter(after))}
      ORDER BY p.published_at DESC, p.id DESC LIMIT ${limit}`;
    const { rows } = await this.database.db.execute<PostRow>(shownOf(found));
    return rows.map((row) => ({ ...row, publishedAt: new Date(row.publishedAt) }));
  }
}

const followedBy = (userId: string) => sql`
  FROM ${follows} f JOIN ${posts} p ON f.user_id = ${userId} AND p.source_id = f.source_id
  LEFT JOIN ${marks} m ON m.user_id = f.user_id AND m.post_id = p.id`;

/** Stars outlast a follow. */
const starredBy = (userId: string) => sql`
  FROM ${marks} m JOIN ${posts} p ON m.user_id = ${userId} AND p.id = m.post_id
  LEFT JOIN ${follows} f ON f.user_id = m.user_id AND f.source_id = p.source_id`;

function conditions({ source, folder, q, unread, starred }: TimelineFilter): (SQL | undefined)[] {
  return [
    source === undefined ? undefined : sql`f.source_id = ${source}`,
    folder === undefined ? undefined : inFolder(sql`${folder}::text`),
    q === undefined ? undefined : hasWords(sql`websearch_to_tsquery('simple', ${withoutRepeatedMinus(q)})`),
    unread ? sql`NOT coalesce(m.read, p.id <= f.read_up_to, false)` : undefined,
    starred ? sql`m.starred_at IS NOT NULL` : undefined,
  ];
}

/** Posts whose words are not stored yet are found too, if there are few of them, as right after a follow. */
const MAX_UNINDEXED = 500;
const hasWords = (query: SQL) => sql`p.id IN (
  SELECT id FROM ${postWords} WHERE words @@ ${query}
  UNION ALL SELECT id FROM ${posts} WHERE search @@ ${query}
  UNION ALL SELECT id FROM (SELECT id, text FROM ${unindexedPosts} ORDER BY id DESC LIMIT ${MAX_UNINDEXED}) AS newest
    WHERE to_tsvector('simple', newest.text) @@ ${query})`;

/** PostgreSQL nests a negation for each minus sign and fails at 33 of them. */
const withoutRepeatedMinus = (q: string) => q.replace(/(?:-\s*){2,}/g, '-');

const isAfter = ([at, id]: TimelinePosition) => sql`(p.published_at, p.id) < (${at}::timestamptz, ${id}::bigint)`;

type PageValues = { beforeAt: string; beforeId: string; limit: number };

function pageValues({ after, limit }: Stretch): PageValues {
  return { ...(after ? { beforeAt: after[0], beforeId: after[1] } : NEWEST), limit };
}

function toPosts(rows: PostRow[]): TimelinePost[] {
  return rows.map((row) => {
    const { read: _, starred: __, ...post } = toFeedItem({ ...row, read: false, starred: false });
    return post;
  });
}

export function personalised(
  post: TimelinePost,
  { title, read, starred }: { title: string | null; read: boolean; starred: boolean },
): FeedItem {
  return { ...post, source: { ...post.source, title: title ?? post.source.title }, read, starred };
}
