import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../platform/database/database.js';
import type { RowJob } from '../platform/queue/job-catalogue.js';
import { MAX_PRIORITY, type WaitingRow } from '../platform/queue/job-rows.js';
import type { FetchCause, FetchJob } from './fetch-jobs.js';
import { LAST_TIER_PRIORITY } from './tier-priority.js';

/** A user's sources that are fetched before everything else, because the user waits to see their posts. */
export const FETCHED_AT_ONCE = 10;
/** Rows in one statement. */
const BATCH_SIZE = 1_000;

interface Request {
  userId: string;
  cause: FetchCause;
  /** Checked again once a row is held. */
  only?: SQL | undefined;
}

/**
 * Puts sources to work that a user asked for. The rest of a long list comes after what is scheduled, and users take turns: ten
 * sources of one, ten of the next. Yields what is to be enqueued, piece by piece.
 */
export async function* putRequestedToWork(
  db: Db,
  job: RowJob<FetchJob>,
  ids: string[],
  { userId: owner, cause, only }: Request,
): AsyncGenerator<WaitingRow[]> {
  const waiting = ids.length ? await job.rows.waitingOf(db, owner) : 0;
  for (let at = 0; at < ids.length; at += BATCH_SIZE) {
    const batch = ids.slice(at, at + BATCH_SIZE);
    const place = sql`(${waiting + at}::int + array_position(${sql.param(batch)}::bigint[], id) - 1)`;
    const turn = sql`CASE WHEN ${place} < ${FETCHED_AT_ONCE} THEN 0
      ELSE least(${MAX_PRIORITY}, ${LAST_TIER_PRIORITY}::int + ${place} / ${FETCHED_AT_ONCE}) END`;
    yield await job.rows.putToWork(db, batch, { priority: turn, owner, cause, only });
  }
}
