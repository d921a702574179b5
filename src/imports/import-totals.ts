import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../platform/database/database.js';
import { jobIsNot } from '../platform/jobs/job-columns.js';
import { importFeeds } from './feeds/import-feeds.table.js';
import { imports } from './imports.table.js';
import { importBatches } from './items/import-batches.table.js';

export interface FeedTotals {
  total: number;
  done: number;
  failed: number;
}

export interface ItemTotals {
  found: number;
  new: number;
  updated: number;
  unchanged: number;
  failed: number;
}

/** Batches that wait when an import is cancelled are not written any more and do not count from then on. */
const ITEM_TOTALS = sql`
  coalesce(sum(found) FILTER (WHERE ${jobIsNot('waiting')} OR owner.status <> 'cancelled'), 0)::float8 AS found,
  coalesce(sum(added), 0)::float8 AS new, coalesce(sum(updated), 0)::float8 AS updated,
  coalesce(sum(unchanged), 0)::float8 AS unchanged, coalesce(sum(failed), 0)::float8 AS failed`;

export async function feedTotals(db: Db, importIds: string[]): Promise<Map<string, FeedTotals>> {
  return byId<FeedTotals>(
    db,
    sql`SELECT import_id AS id, count(*)::float8 AS total,
        count(*) FILTER (WHERE status = 'done')::float8 AS done, count(*) FILTER (WHERE status = 'failed')::float8 AS failed
      FROM ${importFeeds} WHERE import_id = ANY(${sql.param(importIds)}::bigint[]) GROUP BY import_id`,
  );
}

/** Totals of imports or feeds, depending on the column. Rows without items have no entry. */
export async function itemTotals(db: Db, of: 'import_id' | 'feed_id', ids: string[]): Promise<Map<string, ItemTotals>> {
  return byId<ItemTotals>(
    db,
    sql`SELECT batch.${sql.raw(of)} AS id, ${ITEM_TOTALS}
      FROM ${importBatches} AS batch JOIN ${imports} AS owner ON owner.id = batch.import_id
      WHERE batch.${sql.raw(of)} = ANY(${sql.param(ids)}::bigint[]) GROUP BY batch.${sql.raw(of)}`,
  );
}

async function byId<Totals>(db: Db, query: SQL): Promise<Map<string, Totals>> {
  const { rows } = await db.execute<Totals & { id: string }>(query);
  return new Map(rows.map(({ id, ...totals }) => [id, totals as Totals]));
}

export const NO_FEEDS: FeedTotals = { total: 0, done: 0, failed: 0 };
export const NO_ITEMS: ItemTotals = { found: 0, new: 0, updated: 0, unchanged: 0, failed: 0 };
