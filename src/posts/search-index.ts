import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { Database } from '../platform/database/database.js';
import { PreparedQuery } from '../platform/database/prepared-query.js';
import { Periodic } from '../platform/time/periodic.js';
import { posts, postWords, unindexedPosts } from './posts.table.js';

const INTERVAL_MS = 3_000;
const BATCH_SIZE = 500;
/** Words of more posts than this wait, so that storing the posts of many new sources is not slowed down by them. */
const MAX_PROMPT = 2_000;
const BULK_INTERVAL_MS = 30_000;

const indexing = new PreparedQuery<{ taken: number }>(sql`
  WITH taken AS (
    DELETE FROM ${unindexedPosts} WHERE id IN (
      SELECT id FROM ${unindexedPosts} ORDER BY id LIMIT ${sql.placeholder('limit')} FOR UPDATE SKIP LOCKED
    ) RETURNING id, text
  ), indexed AS (
    INSERT INTO ${postWords} (id, words)
    SELECT id, to_tsvector('simple', taken.text) FROM taken JOIN ${posts} USING (id) WHERE removed_at IS NULL ORDER BY id
    ON CONFLICT (id) DO UPDATE SET words = excluded.words
  )
  SELECT count(*)::int AS taken FROM taken`);

const counting = new PreparedQuery<{ count: number }>(sql`
  SELECT count(*)::int AS count FROM (SELECT FROM ${unindexedPosts} LIMIT ${sql.placeholder('limit')}) AS waiting`);

/** Stores the words by which new and changed posts are found. Several processes may do this at the same time. */
@Injectable()
export class SearchIndex implements OnApplicationBootstrap {
  private indexedAtMs = performance.now();

  constructor(
    private readonly database: Database,
    private readonly periodic: Periodic,
  ) {}

  onApplicationBootstrap() {
    this.periodic.every(INTERVAL_MS, 'search index', () => this.run());
  }

  async run(): Promise<void> {
    const [waiting] = await counting.run(this.database.pool, { limit: MAX_PROMPT + 1 });
    const isBulk = waiting !== undefined && waiting.count > MAX_PROMPT;
    if (!isBulk || performance.now() - this.indexedAtMs >= BULK_INTERVAL_MS) await this.indexAll();
  }

  private async indexAll(): Promise<void> {
    for (;;) {
      const [batch] = await indexing.run(this.database.pool, { limit: BATCH_SIZE });
      this.indexedAtMs = performance.now();
      if (!batch || batch.taken < BATCH_SIZE) return;
    }
  }
}
