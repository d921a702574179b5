import { sql } from 'drizzle-orm';
import { learnedRhythm } from '../../src/fetching/schedule/learned-rhythm.js';
import { packed } from '../../src/platform/database/columns.js';
import type { Db } from '../../src/platform/database/database.js';

export const SOURCES = 1_000_000;
export const USERS = 100_000;
export const FOLLOWS = 10_000_000;

/**
 * Every user follows a hundred sources. The k-th is between the k³-th and the (k+1)³-th, so that a few sources have
 * tens of thousands of followers and most have three. Three users in ten are active; nothing is counted yet.
 */
export async function makeSources(db: Db): Promise<void> {
  await db.execute(sql`
    INSERT INTO users (external_id, last_seen_at, active)
    SELECT 'user ' || n, now(), n % 10 < 3 FROM generate_series(1, ${USERS}::int) AS n`);
  await db.execute(sql`
    INSERT INTO sources (type, external_id)
    SELECT 'rss', 'https://source' || n || '.example/feed.xml' FROM generate_series(1, ${SOURCES}::int) AS n`);
  await db.execute(sql`
    INSERT INTO fetch_states (id, type, job_state, last_fetch_at, last_success_at, validators,
      rhythm, rhythm_at, posts_per_day, host)
    SELECT id, 'rss', 'done', at, at, jsonb_build_object('etag', md5(id::text), 'bodyHash', md5(id::text) || md5('b' || id)),
      ${packed(learned())}::bytea, at, power(10, random() * 4 - 2), 'source' || id || '.example'
    FROM (SELECT id, now() - random() * interval '1 hour' AS at FROM sources) AS fetched`);
  await makeFollows(db);
  await db.execute(sql`VACUUM ANALYZE`);
}

/** Returns the learned rhythm of a source that posts four times a day. */
function learned(): number[] {
  const now = new Date();
  const published = Array.from({ length: 50 }, (_, back) => ({
    publishedAt: new Date(now.getTime() - (back + 0.3) * 6 * 3_600_000),
    dated: true,
  }));
  return learnedRhythm({ rhythm: null, rhythmAt: null, lastSuccessAt: null }, { published, now }).rhythm ?? [];
}

/** Indexes are created afterwards, which is many times faster. */
async function makeFollows(db: Db): Promise<void> {
  const { rows: constraints } = await db.execute<{ name: string; definition: string }>(sql`
    SELECT conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
    WHERE conrelid = 'follows'::regclass AND contype IN ('p', 'f') ORDER BY contype DESC`);
  const { rows: indexes } = await db.execute<{ name: string; definition: string }>(sql`
    SELECT indexname AS name, indexdef AS definition FROM pg_indexes
    WHERE tablename = 'follows' AND indexname NOT IN (SELECT conname FROM pg_constraint)`);
  for (const { name } of constraints) await db.execute(sql.raw(`ALTER TABLE follows DROP CONSTRAINT ${name}`));
  for (const { name } of indexes) await db.execute(sql.raw(`DROP INDEX ${name}`));
  await db.execute(sql`
    INSERT INTO follows (user_id, source_id)
    SELECT users.id, 1 + floor(power(k + random(), 3))::bigint FROM users, generate_series(0, 99) AS k`);
  for (const { definition } of indexes) await db.execute(sql.raw(definition));
  for (const { name, definition } of constraints) {
    await db.execute(sql.raw(`ALTER TABLE follows ADD CONSTRAINT ${name} ${definition}`));
  }
}
