import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { CONFIG, type Config } from '../../platform/config.js';
import { Database } from '../../platform/database/database.js';
import { PreparedQuery } from '../../platform/database/prepared-query.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import { follows } from '../../sources/follows.table.js';
import { sources } from '../../sources/sources.table.js';
import { marks } from '../marks.table.js';
import { posts } from '../posts.table.js';
import { readRanges } from '../read-ranges.table.js';
import { ReadingChanges } from './reading-changes.js';

export interface UnreadCount {
  /** The source that the user follows; posts of sources that have moved there are counted with it. */
  sourceId: string;
  folder: string | null;
  unread: number;
  /** Time (ms) at which the newest unread post was found. */
  newestAt: number | null;
}

interface CountRow {
  sourceId: string;
  targetId: string;
  folder: string | null;
  unread: number;
  newestAt: number | null;
}

interface CountedSources {
  countedAt: number;
  /** By the source that holds the posts. */
  rows: Map<string, CountRow>;
}

const MAX_CACHED_ROWS = 500_000;

const userId = sql`${sql.placeholder('userId')}::bigint`;
const sourceIds = sql`${sql.placeholder('sourceIds')}::bigint[]`;

/** Sources without unread posts are part of it. The ranges are copied once, because stored ones may be compressed. */
const counting = new PreparedQuery<CountRow>(sql`
  WITH followed AS MATERIALIZED (
    SELECT f.source_id, f.folder, f.read_up_to, s.last_post_id > f.read_up_to AS has_newer,
      coalesce(r.ids, '{}') + '{}' AS read_ids, coalesce(state.moved_to, f.source_id) AS target_id
    FROM ${follows} f JOIN ${sources} s ON s.id = f.source_id JOIN ${fetchStates} AS state ON state.id = f.source_id
    LEFT JOIN ${readRanges} r ON r.user_id = f.user_id AND r.source_id = f.source_id
    WHERE f.user_id = ${userId} AND (${sourceIds} IS NULL OR f.source_id = ANY(${sourceIds}))
  ), unread AS (
    SELECT f.source_id, newer.found_at FROM followed f CROSS JOIN LATERAL (
      SELECT p.found_at FROM ${posts} p
      WHERE p.source_id = f.source_id AND p.removed_at IS NULL AND p.id > f.read_up_to AND NOT p.id <@ f.read_ids
        AND NOT EXISTS (
          SELECT FROM ${marks} m WHERE m.user_id = ${userId} AND m.post_id = p.id AND m.read IS NOT NULL)) newer
    WHERE f.has_newer
    UNION ALL
    SELECT p.source_id, p.found_at FROM ${marks} m JOIN ${posts} p ON p.id = m.post_id AND p.removed_at IS NULL
    WHERE m.user_id = ${userId} AND m.read = false AND p.source_id IN (SELECT source_id FROM followed)
  )
  SELECT f.source_id AS "sourceId", f.target_id AS "targetId", f.folder, coalesce(counted.unread, 0) AS unread,
    counted.newest_at AS "newestAt"
  FROM followed f LEFT JOIN (
    SELECT source_id, count(*)::int AS unread, (extract(epoch FROM max(found_at)) * 1000)::float8 AS newest_at
    FROM unread GROUP BY source_id
  ) AS counted ON counted.source_id = f.source_id
  ORDER BY f.source_id`);

/** Exact counts. Those of a user are kept, and only sources with new posts are counted again. */
@Injectable()
export class UnreadCounts {
  private readonly counted;
  private readonly counting = new Map<string, Promise<CountedSources>>();

  constructor(
    private readonly database: Database,
    private readonly changes: ReadingChanges,
    @Inject(CONFIG) { cacheTtlMs }: Pick<Config, 'cacheTtlMs'>,
  ) {
    this.counted = new LRUCache<string, CountedSources>({
      maxSize: MAX_CACHED_ROWS,
      sizeCalculation: ({ rows }) => rows.size + 1,
      ttl: cacheTtlMs,
    });
  }

  /** Of some of the sources, by their ids. */
  async ofSources(userId: string, sourceIds: string[]): Promise<Map<string, number>> {
    const wanted = new Set(sourceIds);
    const counts = (await this.ofUser(userId)).filter(({ sourceId }) => wanted.has(sourceId));
    return new Map(counts.map(({ sourceId, unread }) => [sourceId, unread]));
  }

  /** Has an entry for every source that the user follows, in the order of their ids. */
  async ofUser(userId: string): Promise<UnreadCount[]> {
    return byTarget((await this.rowsOf(userId)).rows.values());
  }

  private async rowsOf(userId: string): Promise<CountedSources> {
    const known = this.counted.get(userId);
    if (known && this.isCurrent(userId, known)) return known;
    const countedAt = this.changes.now();
    // Concurrent requests of a user share one count that began after all changes that they know of.
    const key = `${userId} ${countedAt}`;
    const counting = this.counting.get(key) ?? this.count(userId, known, countedAt);
    this.counting.set(key, counting);
    return counting.finally(() => this.counting.delete(key));
  }

  private isCurrent(userId: string, { countedAt, rows }: CountedSources): boolean {
    return !this.changes.isUserChanged(userId, countedAt) && !this.changes.changedAmong(rows.keys(), countedAt).length;
  }

  private async count(userId: string, known: CountedSources | undefined, countedAt: number): Promise<CountedSources> {
    const isUsable = known && !this.changes.isUserChanged(userId, known.countedAt);
    const changed = isUsable ? this.changes.changedAmong(known.rows.keys(), known.countedAt) : null;
    const rows = new Map(isUsable ? known.rows : []);
    for (const row of await counting.run(this.database.pool, { userId, sourceIds: changed }))
      rows.set(row.sourceId, row);
    const counted = { countedAt, rows };
    this.counted.set(userId, counted);
    return counted;
  }
}

function byTarget(rows: Iterable<CountRow>): UnreadCount[] {
  const all = [...rows];
  const targets = new Map(
    all
      .filter(({ sourceId, targetId }) => sourceId === targetId)
      .map(({ sourceId, folder, unread, newestAt }) => [sourceId, { sourceId, folder, unread, newestAt }]),
  );
  for (const { sourceId, targetId, unread, newestAt } of all) {
    const target = targets.get(targetId);
    if (!target || sourceId === targetId) continue;
    target.unread += unread;
    target.newestAt = Math.max(target.newestAt ?? 0, newestAt ?? 0) || null;
  }
  return [...targets.values()];
}
