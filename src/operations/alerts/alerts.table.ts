import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, instant } from '../../platform/database/columns.js';
import type { FoundAlert } from '../../platform/health/health-sections.js';

/** What the alert webhook is to be told; a row goes when it was told, or when nobody took it for too long. */
export const alertNotices = pgTable(
  'alert_notices',
  {
    id: idColumn(),
    /** The alert's key: what is told of one alert is told in order. */
    key: text().notNull(),
    /** The message, as it is sent. */
    body: jsonb().$type<object>().notNull(),
    attempts: integer().notNull().default(0),
    createdAt: instant().notNull().defaultNow(),
    nextTryAt: instant().notNull().defaultNow(),
  },
  (table) => [index('alert_notices_of_key').on(table.key, table.id)],
);

/** Since when something has not been as it should be, so that all processes say the same. */
export const alerts = pgTable('alerts', {
  /** Code and subject. */
  key: text().primaryKey(),
  since: instant().notNull().defaultNow(),
  seenAt: instant().notNull().defaultNow(),
  /** As it was last seen; what is told when it is over. */
  alert: jsonb().$type<FoundAlert>(),
});
