import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.js';
import type { RowJob } from '../../platform/queue/job-catalogue.js';
import { MAX_PRIORITY, type WaitingRow } from '../../platform/queue/job-rows.js';
import type { FetchCause, FetchJob } from '../run/fetch-jobs.js';
import { LAST_TIER_PRIORITY } from './tier-priority.js';

/** Rows in one statement. */
const BATCH_SIZE = 1_000;
/** Sources of a long list that have the same priority: users take turns with this many sources each. */
const BLOCK_SIZE = 10;
/** Sources that wait already and are made more urgent by one request. Each costs a call to the queue. */
const MAX_RAISED = 10;

interface Request {
  userId: string;
  cause: FetchCause;
  /** Checked again once a row is held. */
  only?: SQL | undefined;
}

/**
 * Puts sources to work that a user asked for. Their priority is their place among all that wait for this user: the first comes
 * before everything else, the next few compete with the tiers, and the rest of a long list comes after what is scheduled. So the
 * first source of one user never waits for the thousandth of another. Yields what is to be enqueued, piece by piece.
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
    yield await job.rows.putToWork(db, batch, { priority: priorityOf(batch, waiting + at), owner, cause, only });
  }
}

/** The same for the first of sources that wait already: give what it returns to `Jobs.hurry`. */
export async function raiseRequested(
  db: Db,
  job: RowJob<FetchJob>,
  ids: string[],
  { userId: owner, cause }: Request,
): Promise<WaitingRow[]> {
  const raised = ids.slice(0, MAX_RAISED);
  if (!raised.length) return [];
  const priority = priorityOf(raised, await job.rows.waitingOf(db, owner));
  return job.rows.raise(db, raised, { priority, owner, cause });
}

function priorityOf(ids: string[], waiting: number): SQL {
  const place = sql`(${waiting}::int + array_position(${sql.param(ids)}::bigint[], id) - 1)`;
  const afterTiers = LAST_TIER_PRIORITY + 1;
  return sql`least(${MAX_PRIORITY}, ${place}, ${afterTiers}::int + (${place} - ${afterTiers}::int) / ${BLOCK_SIZE}::int)`;
}
