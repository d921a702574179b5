import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.js';

/** The canaries of each queue and of the broker, by the database's clock. */
export const canaries = pgTable('canaries', {
  /** The name of the queue; `rabbitmq` for the broker. */
  path: text().primaryKey(),
  sentAt: instant().notNull(),
  /** Since the first was sent of those that have not come back; null once one has, and while the queue is paused. */
  waitingSince: instant(),
  /** As of the last time that one was to be sent. */
  isPaused: boolean().notNull().default(false),
  /** When something else was last known to keep it from coming back: its server was away, or no process ran jobs. */
  excusedAt: instant(),
  /** Of the last one that came back, and how long that took. */
  returnedAt: instant(),
  roundTripMs: integer(),
});
