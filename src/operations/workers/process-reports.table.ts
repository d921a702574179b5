import { boolean, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.js';

/** What each process reports about itself, whatever its roles. Rows are written and removed as those of workers. */
export const processReports = pgTable('process_clocks', {
  id: text().primaryKey(),
  host: text().notNull(),
  pid: integer().notNull(),
  roles: jsonb().$type<string[]>().notNull(),
  /** How far its clock is ahead of PostgreSQL's, in milliseconds; negative if it is behind. An integer holds 24 days. */
  skewMs: integer().notNull(),
  /** It takes no work, because its heap is nearly used up. */
  isMemoryLow: boolean().notNull().default(false),
  heapPercent: integer().notNull().default(0),
  /** The longest stall of its event loop in the last minute, in milliseconds. */
  maxStallMs: integer().notNull().default(0),
  seenAt: instant().notNull().defaultNow(),
});
