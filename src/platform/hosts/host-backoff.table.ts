import { pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../database/columns.js';

/** Hosts that said stop, so that every process leaves them alone until then. */
export const hostBackoffs = pgTable('host_backoffs', {
  host: text().primaryKey(),
  until: instant().notNull(),
  reason: text().notNull(),
});
