import { sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { users } from '../../auth/users/users.table.js';
import type { Database } from '../../platform/database/database.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import { follows } from '../../sources/follows.table.js';

export interface WrongCount {
  id: string;
  /** As of the count. */
  demandEpoch: number;
  /** How many active followers it really has. */
  counted: number;
  /** The shortest delay that one of them really wishes for, in seconds. */
  wished: number | null;
}

/** Few enough to be kept in memory, many enough for one statement each to be worth its while. */
const AT_ONCE = 5_000;

/** Written into a table, because only then may PostgreSQL count with all its cores and need we not hold a million rows. */
const COUNT = new PgDialect({ casing: 'snake_case' }).sqlToQuery(sql`
  CREATE TEMPORARY TABLE wrong_counts ON COMMIT DROP AS
  SELECT state.id, demand_epoch, coalesce(counted, 0) AS counted, wished
  FROM ${fetchStates} AS state LEFT JOIN (
    SELECT source_id, count(*)::int AS counted
    FROM ${follows} JOIN ${users} ON ${users.id} = ${follows.userId} AND ${users.active} GROUP BY source_id
  ) AS counts ON counts.source_id = state.id LEFT JOIN (
    SELECT source_id, min(max_delay_minutes) * 60 AS wished
    FROM ${follows} JOIN ${users} ON ${users.id} = ${follows.userId} AND ${users.active}
    WHERE max_delay_minutes IS NOT NULL GROUP BY source_id
  ) AS wishes ON wishes.source_id = state.id
  WHERE moved_to IS NULL AND (active_followers <> coalesce(counted, 0) OR wish_seconds IS DISTINCT FROM wished)`).sql;

/**
 * The sources that have other active followers than they say, by their number or their shortest wish, in the order of their
 * ids. One statement sees counters and follows as of one moment. A follow that is committed after it raises the row's
 * demandEpoch.
 */
export async function* wrongCounts({ pool }: Pick<Database, 'pool'>): AsyncGenerator<WrongCount[]> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL work_mem = '64MB'`);
    await client.query(COUNT);
    await client.query(
      'DECLARE wrong CURSOR FOR SELECT id, demand_epoch AS "demandEpoch", counted, wished FROM wrong_counts ORDER BY id',
    );
    for (;;) {
      const { rows } = await client.query<WrongCount>(`FETCH ${AT_ONCE} FROM wrong`);
      if (!rows.length) break;
      yield rows;
    }
    await client.query('COMMIT');
    broken = false;
  } finally {
    client.release(broken);
  }
}
