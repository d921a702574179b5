import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { CONFIG, type Config } from '../platform/config.js';
import { Database, type Db } from '../platform/database/database.js';
import { LOG, type Log } from '../platform/log/log.js';
import { Clock } from '../platform/time/clock.js';
import { Periodic } from '../platform/time/periodic.js';
import { marks } from './marks.table.js';
import { posts } from './posts.table.js';
import { holdSources, summariseRemoved } from './source-summary.js';
import { emptyPosts } from './write-posts.js';

const INTERVAL_MS = 3_600_000;
/** Number of newest posts of a source that are kept, however old they are. */
const ALWAYS_KEPT = 50;
const SOURCES_BATCH_SIZE = 500;
const POSTS_BATCH_SIZE = 1_000;
/** Maximum number of posts removed per round. The rest is left to the next round. */
const MAX_POSTS = 200_000;

/** Identities are kept, so that a source that still contains the posts does not add them again. */
@Injectable()
export class Retention implements OnApplicationBootstrap {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
    private readonly clock: Clock,
    private readonly database: Database,
    private readonly periodic: Periodic,
  ) {}

  onApplicationBootstrap() {
    this.periodic.every(INTERVAL_MS, 'retention', () => this.run());
  }

  async run(): Promise<number> {
    const oldest = new Date(this.clock.now().getTime() - this.config.keepAgeMs);
    let removed = 0;
    let after = '0';
    for (;;) {
      const sourceIds = await this.sourcesWithTooMany(oldest, after);
      for (const sourceId of sourceIds) {
        removed += await this.clear(sourceId, oldest, MAX_POSTS - removed);
        if (removed >= MAX_POSTS) break;
      }
      after = sourceIds.at(-1) ?? after;
      if (sourceIds.length < SOURCES_BATCH_SIZE || removed >= MAX_POSTS) break;
    }
    if (removed) this.log.info({ event: 'old_posts_removed', posts: removed }, 'Removed old posts');
    return removed;
  }

  /** Some of the sources have nothing to remove, because their old posts are starred. */
  private async sourcesWithTooMany(oldest: Date, after: string): Promise<string[]> {
    const { rows } = await this.database.db.execute<{ id: string }>(sql`
      SELECT source_id AS id FROM ${posts} WHERE removed_at IS NULL AND source_id > ${after}
      GROUP BY source_id
      HAVING count(*) > ${this.config.keepPosts}
        OR (count(*) > ${ALWAYS_KEPT} AND min(published_at) < ${oldest.toISOString()}::timestamptz)
      ORDER BY source_id LIMIT ${SOURCES_BATCH_SIZE}`);
    return rows.map(({ id }) => id);
  }

  private async clear(sourceId: string, oldest: Date, most: number): Promise<number> {
    let cleared = 0;
    for (;;) {
      const limit = Math.min(POSTS_BATCH_SIZE, most - cleared);
      const removed = await this.database.transaction((db) => this.clearSome(db, { sourceId, oldest, limit }));
      cleared += removed;
      if (removed < limit || cleared >= most) return cleared;
    }
  }

  private async clearSome(db: Db, { sourceId, oldest, limit }: { sourceId: string; oldest: Date; limit: number }) {
    const held = await holdSources(db, [sourceId]);
    if (!held.has(sourceId)) return 0;
    const ids = await this.holdOutdated(db, { sourceId, oldest, limit });
    // A star may have been set before the rows were locked.
    const { rows: outdated } = await db.execute<{ id: string }>(sql`
      SELECT id FROM ${posts} WHERE id = ANY(${sql.param(ids)}::bigint[]) AND ${notStarred}`);
    if (!outdated.length) return 0;
    const removed = outdated.map(({ id }) => id);
    await emptyPosts(db, removed, this.clock.now());
    await summariseRemoved(db, sourceId);
    return removed.length;
  }

  private async holdOutdated(db: Db, { sourceId, oldest, limit }: { sourceId: string; oldest: Date; limit: number }) {
    const { rows } = await db.execute<{ id: string }>(sql`
      SELECT ${posts.id} FROM ${posts} JOIN (
        SELECT id, published_at, row_number() OVER (ORDER BY published_at DESC, id DESC) AS place
        FROM ${posts} WHERE source_id = ${sourceId} AND removed_at IS NULL
      ) AS placed ON placed.id = ${posts.id}
      WHERE place > ${ALWAYS_KEPT}
        AND (place > ${this.config.keepPosts} OR placed.published_at < ${oldest.toISOString()}::timestamptz)
        AND ${notStarred}
      ORDER BY place DESC LIMIT ${limit} FOR NO KEY UPDATE OF ${posts}`);
    return rows.map(({ id }) => id);
  }
}

const notStarred = sql`NOT EXISTS (
  SELECT FROM ${marks} WHERE ${marks.postId} = ${posts.id} AND ${marks.starredAt} IS NOT NULL)`;
