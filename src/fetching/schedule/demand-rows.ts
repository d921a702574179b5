import { asc, type SQL, sql } from 'drizzle-orm';
import { unpacked } from '../../platform/database/columns.js';
import type { Db } from '../../platform/database/database.js';
import { arrayLiteral, isAmong } from '../../platform/database/planner.js';
import { jobIs, jobVersion } from '../../platform/jobs/job-columns.js';
import { type FetchState, fetchStates } from '../../sources/fetch-states.table.js';
import type { IntervalRules } from '../intervals/interval.js';
import { rescaled, rescheduled } from './next-fetch.js';

const DEMAND_COLUMNS = {
  id: fetchStates.id,
  activeFollowers: fetchStates.activeFollowers,
  demandEpoch: fetchStates.demandEpoch,
  nextFetchAt: fetchStates.nextFetchAt,
  intervalSeconds: fetchStates.intervalSeconds,
  allows: fetchStates.allows,
  notBefore: fetchStates.notBefore,
  lastFetchAt: fetchStates.lastFetchAt,
  lastSuccessAt: fetchStates.lastSuccessAt,
  failures: fetchStates.failures,
  goneAt: fetchStates.goneAt,
  rhythm: fetchStates.rhythm,
  rhythmAt: fetchStates.rhythmAt,
  maxDelaySeconds: fetchStates.maxDelaySeconds,
  host: fetchStates.host,
  pushedUntil: fetchStates.pushedUntil,
};
export type DemandRow = Pick<FetchState, keyof typeof DEMAND_COLUMNS> & { isWaiting: boolean; jobVersion: number };
export type HeldRow = DemandRow & Pick<FetchState, 'type'>;

/** To avoid deadlocks, rows are locked in the order of their ids, and users before sources. */
export function holdRows(db: Db, which: SQL): Promise<HeldRow[]> {
  return db
    .select({
      ...DEMAND_COLUMNS,
      type: fetchStates.type,
      isWaiting: jobIs('waiting', fetchStates),
      jobVersion: jobVersion(fetchStates),
    })
    .from(fetchStates)
    .where(which)
    .orderBy(asc(fetchStates.id))
    .for('no key update');
}

type Seconds = number | null;
type DemandRecord = Omit<DemandRow, 'allows' | 'rhythm' | DateColumn> & {
  allows: FetchState['allows'] | null;
  rhythm: Buffer | null;
} & Record<DateColumn, Seconds>;
type DateColumn = 'nextFetchAt' | 'notBefore' | 'lastFetchAt' | 'lastSuccessAt' | 'goneAt' | 'rhythmAt' | 'pushedUntil';

/** Seconds parse several times faster than dates. Rhythms are read only for rows without an interval. */
export async function readDemand(db: Db, ids: string[]): Promise<DemandRow[]> {
  const { rows } = await db.execute<DemandRecord>(sql`
    SELECT id, active_followers AS "activeFollowers", demand_epoch AS "demandEpoch", interval_seconds AS "intervalSeconds",
      failures, ${jobIs('waiting')} AS "isWaiting", ${jobVersion()} AS "jobVersion", nullif(allows, '{}') AS allows, host,
      wish_seconds AS "maxDelaySeconds", CASE WHEN interval_seconds IS NULL THEN rhythm END AS rhythm,
      date_part('epoch', rhythm_at) AS "rhythmAt", date_part('epoch', pushed_until) AS "pushedUntil",
      date_part('epoch', next_fetch_at) AS "nextFetchAt", date_part('epoch', not_before) AS "notBefore",
      date_part('epoch', last_fetch_at) AS "lastFetchAt", date_part('epoch', gone_at) AS "goneAt",
      date_part('epoch', last_success_at) AS "lastSuccessAt"
    FROM ${fetchStates} WHERE id = ANY(${arrayLiteral(ids)}::bigint[]) ORDER BY id`);
  return rows.map((record) => ({
    ...record,
    allows: record.allows ?? {},
    nextFetchAt: toDate(record.nextFetchAt),
    notBefore: toDate(record.notBefore),
    lastFetchAt: toDate(record.lastFetchAt),
    lastSuccessAt: toDate(record.lastSuccessAt),
    goneAt: toDate(record.goneAt),
    rhythm: record.rhythm && unpacked(record.rhythm),
    rhythmAt: toDate(record.rhythmAt),
    pushedUntil: toDate(record.pushedUntil),
  }));
}

const toDate = (seconds: Seconds) => (seconds === null ? null : new Date(Math.round(seconds * 1_000)));

export interface ScheduledAt {
  rules: IntervalRules;
  now: Date;
}

type SourceDemand = Pick<FetchState, 'activeFollowers' | 'maxDelaySeconds'>;

/** If the job is enqueued, the worker will set the schedule. */
export function withFollowers<Row extends DemandRow>(row: Row, demand: SourceDemand, { rules, now }: ScheduledAt): Row {
  const changed = { ...row, ...demand };
  return row.isWaiting ? changed : { ...changed, ...rescheduled(changed, rules, now) };
}

export function withCounted(row: DemandRow, demand: SourceDemand, at: ScheduledAt): DemandRow {
  const changed = { ...row, ...demand };
  return row.isWaiting ? changed : { ...changed, ...rescaled(changed, row.activeFollowers, at) };
}

/** Give rows in the order of their ids. Rows whose demand or job has changed since they were read are skipped. */
export async function writeDemand(db: Db, rows: DemandRow[]): Promise<number> {
  const list = (pick: (row: DemandRow) => string | number | null) => arrayLiteral(rows.map(pick));
  const ids = sql.param(list(({ id }) => id));
  const { rowCount } = await db.execute(sql`
    UPDATE ${fetchStates} SET active_followers = followers, wish_seconds = max_delay, demand_epoch = epoch + 1,
      version = version + 1, interval_seconds = seconds, next_fetch_at = to_timestamp(next)
    FROM unnest(
      ${ids}::bigint[], ${list(({ demandEpoch }) => demandEpoch)}::int[], ${list((row) => row.jobVersion)}::int[],
      ${list((row) => row.activeFollowers)}::int[], ${list((row) => row.maxDelaySeconds)}::int[],
      ${list((row) => row.intervalSeconds)}::int[],
      ${list(({ nextFetchAt }) => nextFetchAt && nextFetchAt.getTime() / 1_000)}::float8[]
    ) AS demand (demand_id, epoch, read_version, followers, max_delay, seconds, next)
    WHERE id = demand_id AND ${isAmong(ids)} AND demand_epoch = epoch AND ${jobVersion()} = read_version`);
  return rowCount ?? 0;
}
