import { eq, sql } from 'drizzle-orm';
import type pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { users } from '../../src/auth/users/users.table.js';
import { Following } from '../../src/following/following.js';
import { Database } from '../../src/platform/database/database.js';
import { testDatabase } from '../harness/database.js';
import { FeedSite } from '../harness/feed-site.js';
import { startReader } from '../harness/reader.js';
import { newUser } from './demand-parts.js';
import { WorkerProcess } from './worker-process.js';

const given = testDatabase();
const LARGE_TABLES = /Seq Scan on (posts|sources|fetch_states|feed_digests)\b/;

beforeAll(async () => {
  const { db } = given.database;
  await db.execute(
    sql`INSERT INTO sources (type, external_id) SELECT 'rss', 'x' || n FROM generate_series(1, 20000) n`,
  );
  await db.execute(sql`INSERT INTO fetch_states (id, type, job_state) SELECT id, 'rss', 'done' FROM sources`);
  await db.execute(sql`INSERT INTO feed_digests (id, items) SELECT id, '' FROM sources`);
  await db.execute(sql`
    INSERT INTO posts (source_id, external_id, author, published_at, found_at, content_hash)
    SELECT sources.id, n::text, '{}', now(), now(), '' FROM sources, generate_series(1, 3) n`);
  await db.execute(sql`VACUUM ANALYZE`);
});

it('the prepared statements of a fetch read no large table as a whole, whatever their parameters are', async () => {
  const { app, clock } = await startReader(given.url, { roles: new Set(['api']) });
  const site = await FeedSite.start();
  const { db, pool } = app.get(Database);
  const user = await newUser(app.get(Database));
  await db.update(users).set({ active: true, lastSeenAt: clock.now() }).where(eq(users.id, user));
  site.publish('/feed', { guid: 'a', title: 'a' });
  const sourceId = await app.get(Following).follow(user, { type: 'rss', externalId: site.url('/feed') });
  const worker = new WorkerProcess({ app });
  await worker.fetch(sourceId);
  site.publish('/feed', { guid: 'b', title: 'b' });
  await worker.fetch(sourceId);

  const statements = await preparedStatements(pool);
  expect(await genericPlan(pool, 'SELECT FROM posts WHERE title = $1::text')).toMatch(LARGE_TABLES);
  for (const part of ['job_fence = job_fence + 1', 'INTO "posts"', 'FROM "feed_digests"', 'UPDATE "sources"'])
    expect(statements.some((statement) => statement.includes(part))).toBe(true);
  for (const statement of statements) expect(await genericPlan(pool, statement), statement).not.toMatch(LARGE_TABLES);
});

/** Returns the statements of all connections of the pool. */
async function preparedStatements(pool: pg.Pool): Promise<string[]> {
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  const query = 'SELECT statement FROM pg_prepared_statements WHERE NOT from_sql';
  const found = await Promise.all(clients.map((client) => client.query<{ statement: string }>(query)));
  for (const client of clients) client.release();
  return [...new Set(found.flatMap(({ rows }) => rows.map(({ statement }) => statement)))];
}

async function genericPlan(pool: pg.Pool, statement: string): Promise<string> {
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${statement}`);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}
