import { Injectable } from '@nestjs/common';
import { and, asc, count, desc, eq, gt, gte, ilike, inArray, lt, lte, type SQL } from 'drizzle-orm';
import { Database, type Db } from '../../platform/database/database.js';
import { deadLetters } from '../../platform/jobs/dead-letters/dead-letters.table.js';
import { databaseTime } from '../../platform/time/database-time.js';
import type { DeadLetterFilter } from './dead-letter.js';

export type DeadLetterRow = typeof deadLetters.$inferSelect;

@Injectable()
export class DeadLettersStore {
  constructor(private readonly database: Database) {}

  async find(id: string): Promise<DeadLetterRow | undefined> {
    const [letter] = await this.database.db.select().from(deadLetters).where(eq(deadLetters.id, id));
    return letter;
  }

  async list(
    filter: DeadLetterFilter & { state?: DeadLetterRow['state'] | undefined },
    page: { before?: string | undefined; limit: number },
  ) {
    return this.database.db
      .select()
      .from(deadLetters)
      .where(
        and(
          matching(filter),
          filter.state && eq(deadLetters.state, filter.state),
          page.before ? lt(deadLetters.id, page.before) : undefined,
        ),
      )
      .orderBy(desc(deadLetters.id))
      .limit(page.limit);
  }

  decideOpen<T>(
    which: SQL | undefined,
    limit: number,
    decide: (db: Db, open: DeadLetterRow[]) => Promise<T>,
  ): Promise<T> {
    return this.database.transaction(async (db) => {
      const open = db.select().from(deadLetters).where(openAnd(which));
      return decide(db, await open.orderBy(asc(deadLetters.id)).limit(limit).for('update'));
    });
  }

  async close(db: Db, ids: string[], change: Pick<DeadLetterRow, 'state' | 'replayPending'>): Promise<void> {
    if (!ids.length) return;
    await db
      .update(deadLetters)
      .set({ ...change, closedAt: databaseTime.now() })
      .where(inArray(deadLetters.id, ids));
  }

  async discardAll(filter: DeadLetterFilter): Promise<number> {
    const { rowCount } = await this.database.db
      .update(deadLetters)
      .set(discarded())
      .where(openAnd(matching(filter)));
    return rowCount ?? 0;
  }

  async discard(ids: string[]): Promise<string[]> {
    const rows = await this.database.db
      .update(deadLetters)
      .set(discarded())
      .where(openAnd(inArray(deadLetters.id, ids)))
      .returning({ id: deadLetters.id });
    return rows.map(({ id }) => id);
  }

  async countOpen(): Promise<number> {
    return this.database.db.$count(deadLetters, eq(deadLetters.state, 'open'));
  }

  async countNew(since: Date): Promise<{ queue: string; count: number }[]> {
    const { queue, state, lastFailedAt } = deadLetters;
    const recent = and(eq(state, 'open'), gte(lastFailedAt, since));
    return this.database.db
      .select({ queue, count: count() })
      .from(deadLetters)
      .where(recent)
      .groupBy(queue)
      .orderBy(desc(count()), queue);
  }

  async newestId(): Promise<string> {
    const [newest] = await this.database.db
      .select({ id: deadLetters.id })
      .from(deadLetters)
      .orderBy(desc(deadLetters.id))
      .limit(1);
    return newest?.id ?? '0';
  }

  /** Returns replays that were decided and may not have reached the queue. */
  async pendingReplays(decidedBefore: Date, limit: number): Promise<DeadLetterRow[]> {
    return this.database.db
      .select()
      .from(deadLetters)
      .where(and(eq(deadLetters.replayPending, true), lt(deadLetters.closedAt, decidedBefore)))
      .limit(limit);
  }

  async replaysQueued(ids: string[]): Promise<void> {
    if (!ids.length) return;
    await this.database.db.update(deadLetters).set({ replayPending: false }).where(inArray(deadLetters.id, ids));
  }
}

const openAnd = (which: SQL | undefined) => and(eq(deadLetters.state, 'open'), which);
const discarded = () => ({ state: 'discarded' as const, closedAt: databaseTime.now() });

export function matching(filter: DeadLetterFilter): SQL | undefined {
  const { queue, jobName, reason, failedAfter, failedBefore } = filter;
  return and(
    queue ? eq(deadLetters.queue, queue) : undefined,
    jobName ? eq(deadLetters.jobName, jobName) : undefined,
    reason ? ilike(deadLetters.reason, `%${reason.replace(/[\\%_]/g, '\\$&')}%`) : undefined,
    failedAfter ? gte(deadLetters.lastFailedAt, new Date(failedAfter)) : undefined,
    failedBefore ? lte(deadLetters.lastFailedAt, new Date(failedBefore)) : undefined,
  );
}

export const between = (after: string, upTo: string) => and(gt(deadLetters.id, after), lte(deadLetters.id, upTo));
