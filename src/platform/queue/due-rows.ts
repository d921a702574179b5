import { Injectable } from '@nestjs/common';
import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../database/database.js';

/** Rows beyond this number are not counted, so that a backlog of millions costs no more than this to look at. */
const MAX_COUNTED = 50_000;

/** Rows of one queue that a worker could run now and that the queue does not hold yet. */
export interface DueRows {
  count: number;
  /** Since when the first of them could run. */
  since: Date | null;
}

type Read = (now: Date) => Promise<ReadonlyMap<string, DueRows>>;

/**
 * What waits in rows, outside the queue. A scheduler hands only so many rows to a queue at once, so the queue alone does not
 * show a backlog. Features register how theirs are counted, by the name of the queue. Rows that wait on purpose, for capacity
 * within a limit or for a time, are not counted: more workers would not help them.
 */
@Injectable()
export class DueRowCounts {
  private readonly reads: Read[] = [];

  register(read: Read): void {
    this.reads.push(read);
  }

  async read(now: Date): Promise<ReadonlyMap<string, DueRows>> {
    const all = await Promise.all(this.reads.map((read) => read(now)));
    return new Map(all.flatMap((some) => [...some]));
  }
}

/** Counts the rows of a SELECT whose only column, `since`, is when each could first run. */
export async function countDueRows(db: Db, select: SQL): Promise<DueRows> {
  const { rows } = await db.execute<{ count: number; since: string | Date | null }>(sql`
    SELECT count(*)::int AS count, min(since) AS since FROM (${select} LIMIT ${MAX_COUNTED}) AS due`);
  const [{ count = 0, since = null } = {}] = rows;
  return { count, since: since === null ? null : new Date(since) };
}
