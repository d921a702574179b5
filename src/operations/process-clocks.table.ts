import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../platform/database/columns.js';

/** How far the clock of each process is ahead of PostgreSQL's, whatever its roles. Rows are written and removed as those of workers. */
export const processClocks = pgTable('process_clocks', {
  id: text().primaryKey(),
  host: text().notNull(),
  pid: integer().notNull(),
  roles: jsonb().$type<string[]>().notNull(),
  /** In milliseconds; negative if the clock is behind. An integer holds 24 days. */
  skewMs: integer().notNull(),
  seenAt: instant().notNull().defaultNow(),
});
