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
 * For who decides about a dead job elsewhere than in the list of dead letters. Whoever replays one holds the letter first and
 * the row second: so call it before the row is touched.
 */
export async function closeDeadLetter(db: Db, { queue, subject, state, at }: Closing): Promise<void> {
  await db
    .update(deadLetters)
    .set({ state, closedAt: at })
    .where(and(eq(deadLetters.queue, queue), eq(deadLetters.subject, subject), eq(deadLetters.state, 'open')));
}
