import { integer, pgTable } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.js';

/** What fetching came to in each hour, in all processes. */
export const freshnessHours = pgTable('freshness_hours', {
  hour: instant().primaryKey(),
  /** Sources that were asked. */
  fetches: integer().notNull(),
  /** Of these, those that schedules have made: neither first fetches, nor what somebody asked for, nor attempts before the last. */
  scheduled: integer().notNull(),
  /** Of all, those that brought nothing new. */
  empty: integer().notNull(),
  /** Fetches that one for each active follower would have cost more. */
  saved: integer().notNull(),
  /** From publication to discovery: how many delays lie in each bucket (delay-histogram.ts). */
  delays: integer().array().notNull(),
});
