import { bigint, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from '../database/columns.js';

/** How many runs ended in each minute, by queue and outcome, and how long they took together. */
export const jobMinutes = pgTable(
  'job_minutes',
  {
    minute: instant().notNull(),
    queue: text().notNull(),
    /** The kind of a JobOutcome; `failed` is for good, `retried` will be tried again. */
    outcome: text().notNull(),
    count: integer().notNull(),
    totalMs: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.minute, table.queue, table.outcome] })],
);
