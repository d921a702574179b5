import { pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.js';

/** When the next request of imports to a host may begin, over all processes. */
export const importHosts = pgTable('import_hosts', {
  host: text().primaryKey(),
  nextAt: instant().notNull(),
  /** When the last of those comes back that were sent away because the next turn was too far off. They have no turn yet. */
  returnAt: instant(),
});
