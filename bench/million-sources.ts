import { sql } from 'drizzle-orm';
import type { Db } from '../src/platform/database/database.js';

export const SOURCES = 1_000_000;
export const USERS = 100_000;
export const FOLLOWS_EACH = 100;

/**
 * A world like a real one: the lower a source's number, the more follow it, from some ten thousand to one or two. Three
 * users in ten are active, and the counters and schedules are not made yet.
 */
export async function makeSources(db: Db): Promise<void> {
  await db.execute(sql`
    INSERT INTO users (id, external_id, last_seen_at, active)
    SELECT n, 'user ' || n, now() - interval '1 hour', n % 10 < 3 FROM generate_series(1, ${USERS}::int) AS n`);
  await db.execute(sql`
    INSERT INTO sources (id, type, external_id)
    SELECT n, 'rss', 'https://source' || n || '.example/feed.xml' FROM generate_series(1, ${SOURCES}::int) AS n`);
  await db.execute(sql`
    INSERT INTO fetch_states (id, type, job_state, last_fetch_at, last_success_at, validators)
    SELECT n, 'rss', 'idle', now() - random() * interval '1 hour', now() - random() * interval '1 hour',
      jsonb_build_object('etag', md5(n::text), 'bodyHash', md5(n::text) || md5('b' || n))
    FROM generate_series(1, ${SOURCES}::int) AS n`);
  await db.execute(sql`SELECT setseed(0.5)`);
  await makeFollows(db);
  await db.execute(sql`VACUUM ANALYZE`);
}

/** One in four follows is of the few that many follow. Whoever draws a source twice draws another one instead. */
async function makeFollows(db: Db): Promise<void> {
  await db.execute(sql`ALTER TABLE follows DROP CONSTRAINT follows_user_id_users_id_fk`);
  await db.execute(sql`ALTER TABLE follows DROP CONSTRAINT follows_source_id_sources_id_fk`);
  await db.execute(sql`DROP INDEX follows_of_source`);
  await db.execute(sql`
    INSERT INTO follows (user_id, source_id)
    SELECT user_id, 1 + floor(CASE WHEN k % 4 = 0 THEN power(random(), 3) ELSE random() END * ${SOURCES}::int)::bigint
    FROM generate_series(1, ${USERS}::int) AS user_id, generate_series(1, ${FOLLOWS_EACH + 2}::int) AS k
    ON CONFLICT DO NOTHING`);
  await db.execute(sql`CREATE INDEX follows_of_source ON follows (source_id, user_id)`);
}
