import { and, desc, eq, sql } from 'drizzle-orm';
import type { Db } from '../../database/database.js';
import { redactText, redactValue } from '../../redact.js';
import { storable } from '../storable.js';
import { deadLetters, type Failure } from './dead-letters.table.js';

interface FinalFailure {
  queue: string;
  jobName: string;
  subject: string;
  payload: unknown;
  /** A replay uses the payload itself, so it is stored unredacted. Other payloads are only for people to read. */
  isReplayedFromPayload?: boolean;
  history: [Failure, ...Failure[]];
}

/** Call this in the transaction that writes the row's final state. A job keeps the letter that it has open already. */
export async function recordDeadLetter(db: Db, failure: FinalFailure): Promise<void> {
  const { queue, jobName, subject, payload: given, isReplayedFromPayload, ...rest } = storable(failure);
  const payload = isReplayedFromPayload ? given : redactValue(given);
  const history = rest.history.map(({ at, reason }) => ({ at, reason: redactText(reason) }));
  const [first] = rest.history;
  const { reason, at } = history.at(-1) ?? first;
  const seen = { reason, attempts: history.length, history, lastFailedAt: new Date(at) };
  await db
    .insert(deadLetters)
    .values({
      queue,
      jobName,
      subject,
      payload: payload ?? null,
      ...seen,
      firstFailedAt: new Date(first.at),
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

interface Closing {
  queue: string;
  subject: string;
  state: 'replayed' | 'discarded';
  at: Date;
}

/** Call this before the row is touched, because a replay locks the letter first and the row second. */
export async function closeDeadLetter(db: Db, { queue, subject, state, at }: Closing): Promise<void> {
  await db
    .update(deadLetters)
    .set({ state, closedAt: at })
    .where(and(eq(deadLetters.queue, queue), eq(deadLetters.subject, subject), eq(deadLetters.state, 'open')));
}
