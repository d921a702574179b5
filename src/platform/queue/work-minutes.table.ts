import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
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
