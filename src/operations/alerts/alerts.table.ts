import { jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.js';
import type { FoundAlert } from '../../platform/health/health-sections.js';

/** Since when something has not been as it should be, so that all processes say the same. */
export const alerts = pgTable('alerts', {
  /** Code and subject. */
  key: text().primaryKey(),
  since: instant().notNull().defaultNow(),
  seenAt: instant().notNull().defaultNow(),
  /** As it was last seen; what is told when it is over. */
  alert: jsonb().$type<FoundAlert>(),
});
