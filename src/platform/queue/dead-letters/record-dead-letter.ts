import { and, desc, eq, sql } from 'drizzle-orm';
import type { Db } from '../../database/database.js';
import { storable } from '../storable.js';
import { deadLetters, type Failure } from './dead-letters.table.js';

export interface FinalFailure {
  queue: string;
  jobName: string;
  subject: string;
  payload: unknown;
  /** Every failed attempt, oldest first; the last one is why it is dead. */
  history: [Failure, ...Failure[]];
}

/** Call it in the transaction that writes the row's final state. A job that is dead already stays one letter. */
export async function recordDeadLetter(db: Db, failure: FinalFailure): Promise<void> {
  const { queue, jobName, subject, payload, history } = storable(failure);
  const last = history.at(-1) ?? history[0];
  const seen = { reason: last.reason, attempts: history.length, history, lastFailedAt: new Date(last.at) };
  await db
    .insert(deadLetters)
    .values({
      ...{ queue, jobName, subject, payload: payload ?? null, ...seen },
      firstFailedAt: new Date(history[0].at),
      replayOf: await replayedBefore(db, queue, subject),
    })
    .onConflictDoUpdate({
      target: [deadLetters.queue, deadLetters.subject],
      targetWhere: sql`state = 'open'`,
      set: seen,
    });
}

async function replayedBefore(db: Db, queue: string, subject: string): Promise<string | null> {
  const [letter] = await db
    .select({ id: deadLetters.id })
    .from(deadLetters)
    .where(and(eq(deadLetters.queue, queue), eq(deadLetters.subject, subject), eq(deadLetters.state, 'replayed')))
    .orderBy(desc(deadLetters.id))
    .limit(1);
  return letter?.id ?? null;
}
