import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, instant } from '../../platform/database/columns.js';
import type { FoundAlert } from '../../platform/health/alert-catalogue.js';

/** Notices for the alert webhook. A row is deleted when it was accepted, or after too long without success. */
export const alertNotices = pgTable(
  'alert_notices',
  {
    id: idColumn(),
    /** The alert's key. Notices of one alert are sent in order. */
    key: text().notNull(),
    body: jsonb().$type<object>().notNull(),
    attempts: integer().notNull().default(0),
    createdAt: instant().notNull().defaultNow(),
    nextTryAt: instant().notNull().defaultNow(),
  },
  (table) => [index('alert_notices_of_key').on(table.key, table.id)],
);

/** Since when each alert has existed, so that all processes report the same. */
export const alerts = pgTable('alerts', {
  key: text().primaryKey(),
  since: instant().notNull().defaultNow(),
  seenAt: instant().notNull().defaultNow(),
  /** The alert as it was last seen, for the notice that it is over. */
  alert: jsonb().$type<FoundAlert>(),
});
