import { type SQL, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { arrayLiteral, isAmong, isExactly, unestimated } from './planner.js';

const given = testDatabase();

const idsUpTo = (count: number) => sql.param(Array.from({ length: count }, (_, at) => String(at * 7 + 1)));

async function planOf(statement: SQL): Promise<string> {
  const { rows } = await given.database.db.execute<{ 'QUERY PLAN': string }>(sql`EXPLAIN ${statement}`);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

beforeAll(async () => {
  const { db } = given.database;
  await db.execute(
    sql`INSERT INTO sources (type, external_id) SELECT 'rss', 'x' || n FROM generate_series(1, 50000) n`,
  );
  await db.execute(sql`INSERT INTO fetch_states (id, type, job_state) SELECT id, 'rss', 'done' FROM sources`);
  await db.execute(sql`INSERT INTO users (external_id) VALUES ('somebody')`);
  await db.execute(sql`INSERT INTO imports (user_id) SELECT id FROM users`);
  await db.execute(sql`
    INSERT INTO import_feeds (import_id, url, type, external_id, job_state)
    SELECT imports.id, 'x' || n, 'rss', 'x' || n, 'idle' FROM imports, generate_series(1, 20000) n`);
  await db.execute(sql`VACUUM ANALYZE`);
});

describe('unestimated', () => {
  const waiting = (state: SQL) =>
    sql`SELECT id FROM fetch_states WHERE ${isAmong(idsUpTo(20))} AND ${state} = 'waiting'`;

  it('finds rows by their ids and not by the index of a value that was rare when statistics were taken', async () => {
    await given.database.db.execute(sql`UPDATE fetch_states SET job_state = 'waiting' WHERE id % 2 = 0`);
    expect(await planOf(waiting(sql`job_state`))).toContain('fetch_states_waiting');
    expect(await planOf(waiting(unestimated(sql`job_state`)))).toContain('fetch_states_pkey');
  });
});

describe('isAmong', () => {
  const joined = (count: number, among: SQL) => sql`
    SELECT id FROM fetch_states JOIN unnest(${idsUpTo(count)}::bigint[], ${idsUpTo(count)}::int[]) AS claimed (claimed_id, run)
      ON id = claimed_id AND job_run = run WHERE ${among}`;

  it.each([500, 5_000])('reads %i rows by their ids, where a join would read the whole table', async (count) => {
    expect(await planOf(joined(count, sql`true`))).toContain('Seq Scan on fetch_states');
    expect(await planOf(joined(count, isAmong(idsUpTo(count))))).toContain('Index Cond: (id = ANY');
  });
});

describe('isExactly', () => {
  const first = (ofImport: SQL) => sql`
    SELECT id FROM import_feeds WHERE ${ofImport} AND status = 'queued' AND job_state = 'idle'
    ORDER BY import_id, id LIMIT 100`;

  it('reads open feeds by their index, though one import filled the table when statistics were taken', async () => {
    expect(await planOf(first(sql`import_id = 1`))).toContain('import_feeds_pkey');
    expect(await planOf(first(isExactly(sql`import_id`, '1')))).toContain('import_feeds_open');
  });
});

describe('arrayLiteral', () => {
  it('is read by PostgreSQL like the array', async () => {
    const numbers = [1, null, -2.5];
    const { rows } = await given.database.db.execute(sql`
      SELECT ${arrayLiteral(numbers)}::float8[] AS literal, ${sql.param(numbers)}::float8[] AS parameter`);
    expect(rows).toEqual([{ literal: numbers, parameter: numbers }]);
  });
});
