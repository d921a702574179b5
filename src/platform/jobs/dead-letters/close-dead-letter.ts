import { and, eq } from 'drizzle-orm';
import type { Db } from '../../database/database.js';
import { deadLetters } from './dead-letters.table.js';

interface Closing {
  queue: string;
  subject: string;
  state: 'replayed' | 'discarded';
  at: Date;
}

/**
 * Closes the dead letter of a job that was decided about elsewhere. Call it before the row is touched: a replay locks
 * the letter first and the row second.
 */
export async function closeDeadLetter(db: Db, { queue, subject, state, at }: Closing): Promise<void> {
  await db
    .update(deadLetters)
    .set({ state, closedAt: at })
    .where(and(eq(deadLetters.queue, queue), eq(deadLetters.subject, subject), eq(deadLetters.state, 'open')));
}
