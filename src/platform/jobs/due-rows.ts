import { Injectable } from '@nestjs/common';
import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../database/database.js';

/** Bounds the cost of counting a backlog of millions. */
const MAX_COUNTED = 50_000;

export interface DueRows {
  count: number;
  since: Date | null;
}

type Read = (now: Date) => Promise<ReadonlyMap<string, DueRows>>;

/** Rows that wait for a limit or for a time are not counted, because more workers would not help them. */
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

export async function countDueRows(db: Db, select: SQL): Promise<DueRows> {
  const { rows } = await db.execute<{ count: number; since: string | Date | null }>(sql`
    SELECT count(*)::int AS count, min(since) AS since FROM (${select} LIMIT ${MAX_COUNTED}) AS due`);
  const [{ count = 0, since = null } = {}] = rows;
  return { count, since: since === null ? null : new Date(since) };
}
