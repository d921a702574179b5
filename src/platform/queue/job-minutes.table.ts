import { bigint, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from '../database/columns.js';
import type { ResultKind } from './work-result.js';

/** How many runs succeeded or failed at their work in each minute, by feature and result. */
export const workMinutes = pgTable(
  'work_minutes',
  {
    minute: instant().notNull(),
    feature: text().notNull(),
    /** Whom the work depended on, of those that failed lately; empty for all others together. */
    target: text().notNull(),
    result: text().notNull(),
    kind: text().$type<ResultKind>().notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.minute, table.feature, table.target, table.result] })],
);

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
