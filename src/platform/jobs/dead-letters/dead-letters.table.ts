import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { idColumn, idReference, instant } from '../../database/columns.js';

export interface Failure {
  at: string;
  reason: string;
}

export const deadLetters = pgTable(
  'dead_letters',
  {
    id: idColumn(),
    queue: text().notNull(),
    jobName: text().notNull(),
    /** The row's id, or the key the job was enqueued under. It is equal in all runs of a job. */
    subject: text().notNull(),
    payload: jsonb().$type<unknown>().notNull(),
    reason: text().notNull(),
    attempts: integer().notNull(),
    history: jsonb().$type<Failure[]>().notNull(),
    firstFailedAt: instant().notNull(),
    lastFailedAt: instant().notNull(),
    state: text({ enum: ['open', 'replayed', 'discarded'] })
      .notNull()
      .default('open'),
    /** The earlier letter whose replay failed again. */
    replayOf: idReference(),
    /** True from the decision to replay until the queue has the job. */
    replayPending: boolean().notNull().default(false),
    closedAt: instant(),
  },
  (table) => [
    uniqueIndex('dead_letters_open_subject').on(table.queue, table.subject).where(sql`state = 'open'`),
    index('dead_letters_newest').on(table.state, table.id.desc()),
    index('dead_letters_open_recent').on(table.lastFailedAt).where(sql`state = 'open'`),
    index('dead_letters_subject').on(table.queue, table.subject, table.id.desc()),
    index('dead_letters_replay_pending').on(table.closedAt).where(sql`replay_pending`),
  ],
);
