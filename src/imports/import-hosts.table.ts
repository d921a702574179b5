import { pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../platform/database/columns.js';

/** When the next request of imports to a host may begin, over all processes. */
export const importHosts = pgTable('import_hosts', {
  host: text().primaryKey(),
  nextAt: instant().notNull(),
});
