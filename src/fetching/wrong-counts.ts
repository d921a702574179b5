import { inArray, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { users } from '../auth/users.table.js';
import type { Database, Db } from '../platform/database/database.js';
import { fetchStates } from '../sources/fetch-states.table.js';
import { follows } from '../sources/follows.table.js';
import { DEMAND_COLUMNS, type DemandRow } from './demand-rows.js';

export interface WrongCount {
  row: DemandRow;
  /** How many active followers it really has. */
  counted: number;
}

interface Found {
  id: string;
  epoch: number;
  counted: number;
}

/** Few enough to be kept in memory, many enough for one statement each to be worth its while. */
const AT_ONCE = 5_000;

/** Written into a table, because only then may PostgreSQL count with all its cores and need we not hold a million rows. */
const COUNT = new PgDialect({ casing: 'snake_case' }).sqlToQuery(sql`
  CREATE TEMPORARY TABLE wrong_counts ON COMMIT DROP AS
  SELECT state.id, demand_epoch AS epoch, coalesce(counted, 0) AS counted
  FROM ${fetchStates} AS state LEFT JOIN (
    SELECT source_id, count(*)::int AS counted
    FROM ${follows} JOIN ${users} ON ${users.id} = ${follows.userId} AND ${users.active} GROUP BY source_id
  ) AS counts ON source_id = state.id
  WHERE active_followers <> coalesce(counted, 0)`).sql;

/**
 * The sources that have another number of active followers than they say, in the order of their ids. One statement sees
 * counters and follows as of one moment. A follow that is committed after it raises the row's demandEpoch: it is counted
 * already and left out here, or in `writeDemand`.
 */
export async function* wrongCounts({ pool, db }: Pick<Database, 'pool' | 'db'>): AsyncGenerator<WrongCount[]> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL work_mem = '64MB'`);
    await client.query(COUNT);
    await client.query('DECLARE wrong CURSOR FOR SELECT id, epoch, counted FROM wrong_counts ORDER BY id');
    for (;;) {
      const { rows } = await client.query<Found>(`FETCH ${AT_ONCE} FROM wrong`);
      if (!rows.length) break;
      yield await asTheyAreNow(db, rows);
    }
    await client.query('COMMIT');
    broken = false;
  } finally {
    client.release(broken);
  }
}

async function asTheyAreNow(db: Db, found: Found[]): Promise<WrongCount[]> {
  const ids = found.map(({ id }) => id);
  const rows = await db
    .select(DEMAND_COLUMNS)
    .from(fetchStates)
    .where(inArray(fetchStates.id, sql`(SELECT unnest(${sql.param(ids)}::bigint[]))`))
    .orderBy(fetchStates.id);
  const counts = new Map(found.map((one) => [one.id, one]));
  return rows.flatMap((row) => {
    const count = counts.get(row.id);
    return count?.epoch === row.demandEpoch ? [{ row, counted: count.counted }] : [];
  });
}
