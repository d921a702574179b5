import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.js';

/** The canaries of each queue and of the broker. All times are the database's. */
export const canaries = pgTable('canaries', {
  /** The name of the queue, or `rabbitmq` for the broker. */
  path: text().primaryKey(),
  sentAt: instant().notNull(),
  /** When the first canary was sent that is still out. Null if none is, and while the queue is paused. */
  waitingSince: instant(),
  isPaused: boolean().notNull().default(false),
  /** When another known cause last kept it from returning: its server was unreachable, or no process ran jobs. */
  excusedAt: instant(),
  /** When the last canary returned; `round_trip_ms` is how long it took. */
  returnedAt: instant(),
  roundTripMs: integer(),
});
