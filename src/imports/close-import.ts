import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../platform/database/database.js';
import { importFeeds } from './feeds/import-feeds.table.js';
import { importBatches } from './items/import-batches.table.js';

const AT_ONCE = 1_000;

/** Ends what is open of a cancelled import: its feeds, and the batches that wait. May be done again. */
export async function closeImport(db: Db, importId: string, now: Date): Promise<void> {
  await inSlices(
    db,
    (after) => sql`
      WITH open AS MATERIALIZED (
        SELECT id AS open_id FROM ${importFeeds}
        WHERE import_id = ${importId} AND status IN ('queued', 'fetching', 'storing') AND id > ${after}
        ORDER BY id LIMIT ${AT_ONCE} FOR UPDATE
      )
      UPDATE ${importFeeds} SET status = 'cancelled', job_state = 'done', completed_at = ${now}::timestamptz
      FROM open WHERE id = open_id RETURNING id`,
  );
  await inSlices(
    db,
    (after) => sql`
      WITH waiting AS MATERIALIZED (
        SELECT id AS waiting_id FROM ${importBatches}
        WHERE import_id = ${importId} AND job_state = 'waiting' AND id > ${after}
        ORDER BY id LIMIT ${AT_ONCE} FOR UPDATE
      )
      UPDATE ${importBatches} SET items = NULL, found = 0, job_state = 'done'
      FROM waiting WHERE id = waiting_id RETURNING id`,
  );
}

/** In the order of ids, each slice by itself, so that nobody waits long for a row. */
async function inSlices(db: Db, change: (after: string) => SQL): Promise<void> {
  for (let after = 0n; ; ) {
    const { rows } = await db.execute<{ id: string }>(change(String(after)));
    if (!rows.length) return;
    for (const { id } of rows) if (BigInt(id) > after) after = BigInt(id);
  }
}
