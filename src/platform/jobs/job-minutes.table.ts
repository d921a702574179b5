import { bigint, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from '../database/columns.js';
import type { ResultKind } from './work-result.js';

export const workMinutes = pgTable(
  'work_minutes',
  {
    minute: instant().notNull(),
    feature: text().notNull(),
    /** The target of the work, such as a host, if it failed recently. Empty for all other targets together. */
    target: text().notNull(),
    result: text().notNull(),
    kind: text().$type<ResultKind>().notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.minute, table.feature, table.target, table.result] })],
);

export const jobMinutes = pgTable(
  'job_minutes',
  {
    minute: instant().notNull(),
    queue: text().notNull(),
    /** The kind of a JobOutcome. `failed` is final, `retried` will be tried again. */
    outcome: text().notNull(),
    count: integer().notNull(),
    totalMs: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.minute, table.queue, table.outcome] })],
);
