import { sql } from 'drizzle-orm';
import { users } from '../auth/users.table.js';
import type { Db } from '../platform/database/database.js';
import { type FetchState, fetchStates } from '../sources/fetch-states.table.js';
import { follows } from '../sources/follows.table.js';
import type { DemandRow } from './demand-rows.js';

/** Ids, both included. */
export interface SourceRange {
  first: string;
  last: string;
}

export interface WrongCount {
  row: DemandRow;
  /** How many active followers it really has. */
  counted: number;
}

/** In seconds, which are read several times faster than dates. */
type Seconds = number | null;

type WrongRecord = Pick<
  DemandRow,
  'id' | 'activeFollowers' | 'demandEpoch' | 'intervalSeconds' | 'failures' | 'jobState' | 'jobRun'
> & { counted: number; allows: FetchState['allows'] | null } & Record<
    'nextFetchAt' | 'notBefore' | 'lastFetchAt' | 'goneAt',
    Seconds
  >;

/**
 * The sources of a range that have another number of active followers than they say, in the order of their ids. One
 * statement sees counters and follows as of one moment. A follow that is committed after it raises the row's demandEpoch,
 * which `writeDemand` then finds changed, so that it is not undone.
 */
export async function wrongCounts(db: Db, { first, last }: SourceRange): Promise<WrongCount[]> {
  const { rows } = await db.execute<WrongRecord>(sql`
    SELECT state.id, coalesce(counted, 0) AS counted, active_followers AS "activeFollowers",
      demand_epoch AS "demandEpoch", interval_seconds AS "intervalSeconds", failures, job_state AS "jobState",
      job_run AS "jobRun", nullif(allows, '{}') AS allows, date_part('epoch', next_fetch_at) AS "nextFetchAt",
      date_part('epoch', not_before) AS "notBefore", date_part('epoch', last_fetch_at) AS "lastFetchAt",
      date_part('epoch', gone_at) AS "goneAt"
    FROM ${fetchStates} AS state LEFT JOIN (
      SELECT source_id, count(*) FILTER (WHERE user_id IN (SELECT id FROM ${users} WHERE active))::int AS counted
      FROM ${follows} WHERE source_id BETWEEN ${first} AND ${last} GROUP BY source_id
    ) AS counts ON source_id = state.id
    WHERE state.id BETWEEN ${first} AND ${last} AND active_followers <> coalesce(counted, 0) ORDER BY state.id`);
  return rows.map(toWrongCount);
}

function toWrongCount({ counted, ...record }: WrongRecord): WrongCount {
  const row = {
    ...record,
    allows: record.allows ?? {},
    nextFetchAt: toDate(record.nextFetchAt),
    notBefore: toDate(record.notBefore),
    lastFetchAt: toDate(record.lastFetchAt),
    goneAt: toDate(record.goneAt),
  };
  return { row, counted };
}

const toDate = (seconds: Seconds) => (seconds === null ? null : new Date(Math.round(seconds * 1_000)));
