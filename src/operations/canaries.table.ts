import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../platform/database/columns.js';

/** The last canary of each queue and of the broker, by the database's clock. */
export const canaries = pgTable('canaries', {
  /** The name of the queue; `rabbitmq` for the broker. */
  path: text().primaryKey(),
  sentAt: instant().notNull(),
  /** Of the last one that came back, and how long that took. */
  returnedAt: instant(),
  roundTripMs: integer(),
});
