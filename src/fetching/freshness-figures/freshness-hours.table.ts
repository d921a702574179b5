import { integer, pgTable } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.js';

export const freshnessHours = pgTable('freshness_hours', {
  hour: instant().primaryKey(),
  fetches: integer().notNull(),
  /** Scheduled fetches, without first fetches, requested fetches and attempts before the last. */
  scheduled: integer().notNull(),
  empty: integer().notNull(),
  /** Fetches saved because followers share them: one less than the active followers, for each fetch. */
  saved: integer().notNull(),
  /** Number of delays from publication to discovery in each bucket (delay-histogram.ts). */
  delays: integer().array().notNull(),
});
