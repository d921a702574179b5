import { sql } from 'drizzle-orm';
import { users } from '../../auth/users/users.table.js';
import type { Database, Db } from '../../platform/database/database.js';
import { isAmong } from '../../platform/database/planner.js';
import { jobIs } from '../../platform/jobs/job-columns.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import { follows } from '../../sources/follows.table.js';
import { lostFollowers } from './lost-followers.table.js';

/** Sources per transaction: few enough to hold their locks only for tenths of a second. */
const BATCH_SIZE = 5_000;
/** Batches in progress at the same time. */
const LANES = 3;

/**
 * Call inside the transaction that makes these users inactive. Their sources are not locked here, because many users fall
 * silent together and most of them follow the same popular sources.
 */
export async function loseFollowers(db: Db, userIds: string[]): Promise<void> {
  await db.execute(sql`
    INSERT INTO ${lostFollowers} AS kept (source_id, followers, with_max_delay)
    SELECT source_id, count(*), count(max_delay_minutes) > 0 FROM ${follows}
    WHERE user_id = ANY(${sql.param(userIds)}::bigint[]) GROUP BY source_id ORDER BY source_id
    ON CONFLICT (source_id) DO UPDATE SET
      followers = kept.followers + excluded.followers, with_max_delay = kept.with_max_delay OR excluded.with_max_delay`);
}

/** Sources that others hold are left to the next call, so that nobody waits for anybody. */
export async function subtractLostFollowers(database: Pick<Database, 'transaction'>): Promise<void> {
  const lane = async () => {
    let after: string | null = '0';
    while (after !== null) {
      const last: string = after;
      after = await database.transaction((db) => subtractSome(db, last));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** Arrays are passed on as text, because the driver would parse and format every element. */
interface Taken extends Record<string, unknown> {
  ids: string | null;
  followers: string;
  withMaxDelay: string;
  last: string | null;
}

/** Returns the last source of the batch, or null if there are no more. */
async function subtractSome(db: Db, after: string): Promise<string | null> {
  const { rows } = await db.execute<Taken>(sql`
    SELECT array_agg(source_id)::text AS ids, array_agg(followers)::text AS followers,
      array_agg(with_max_delay)::text AS "withMaxDelay", max(source_id) AS last
    FROM (
      SELECT source_id, followers, with_max_delay FROM ${lostFollowers} WHERE source_id > ${after}
      ORDER BY source_id LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED
    ) AS taken`);
  const [taken] = rows;
  if (!taken?.ids) return null;
  const held = await holdFree(db, taken.ids);
  if (held) await subtract(db, taken, held);
  return taken.last;
}

async function holdFree(db: Db, ids: string): Promise<string | null> {
  const { rows } = await db.execute<{ ids: string | null }>(sql`
    SELECT array_agg(id)::text AS ids FROM (
      SELECT id FROM ${fetchStates} WHERE ${isAmong(sql.param(ids))} FOR NO KEY UPDATE SKIP LOCKED
    ) AS held`);
  return rows[0]?.ids ?? null;
}

/**
 * A source that nobody waits for is no longer fetched. Others keep the time of their next fetch and get a longer interval
 * after it, because one early request costs less than a new schedule for each of them.
 */
async function subtract(db: Db, { ids, followers, withMaxDelay }: Taken, held: string): Promise<void> {
  const keepsSchedule = sql`active_followers > lost OR ${jobIs('waiting')}`;
  await db.execute(sql`
    WITH written AS (
      UPDATE ${fetchStates} SET active_followers = greatest(0, active_followers - lost), demand_epoch = demand_epoch + 1,
        version = version + 1, wish_seconds = CASE WHEN with_max_delay THEN ${shortestMaxDelay} ELSE wish_seconds END,
        interval_seconds = CASE WHEN ${keepsSchedule} THEN interval_seconds END,
        next_fetch_at = CASE WHEN ${keepsSchedule} THEN next_fetch_at END
      FROM unnest(${ids}::bigint[], ${followers}::int[], ${withMaxDelay}::boolean[]) AS taken (taken_id, lost, with_max_delay)
      WHERE id = taken_id AND ${isAmong(sql.param(held))} AND moved_to IS NULL
    )
    DELETE FROM ${lostFollowers} WHERE source_id = ANY(${held}::bigint[])`);
}

const shortestMaxDelay = sql`(
  SELECT min(max_delay_minutes) * 60 FROM ${follows} JOIN ${users} ON ${users.id} = user_id AND ${users.active}
  WHERE source_id = ${fetchStates.id} AND max_delay_minutes IS NOT NULL)`;
