import { sql } from 'drizzle-orm';
import { doublePrecision, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../database/columns.js';

/** Hosts that asked us to stop. Every process leaves them alone until then. */
export const hostBackoffs = pgTable('host_backoffs', {
  host: text().primaryKey(),
  until: instant().notNull(),
  reason: text().notNull(),
});

/** `header`: announced by the host. `refusal`: learned from a 429. */
export type LimitOrigin = 'environment' | 'set' | 'header' | 'refusal';

const momentColumn = () => instant().notNull().default(sql`now()`);
const countColumn = () => integer().notNull().default(0);

/** All times are those of the database. */
export const hostLimits = pgTable('host_limits', {
  host: text().primaryKey(),
  perMinute: integer().notNull(),
  origin: text().$type<LimitOrigin>().notNull(),
  because: text().notNull(),
  learnedAt: momentColumn(),
  seenAt: momentColumn(),
  nextAt: momentColumn(),
  /** Requests that were turned away come back one by one: when the last read does, and the last write. */
  returnAt: momentColumn(),
  writesAt: instant(),
  /** Requests in the minute `counted_in` and in the minute before. `others` are those that no schedule has planned. */
  countedIn: momentColumn(),
  used: countColumn(),
  usedBefore: countColumn(),
  others: countColumn(),
  othersBefore: countColumn(),
  /** The value that a planned request must have, so that planned ones share the limit. Null if it binds nobody. */
  price: doublePrecision(),
});

/** The slots of capped requests to any host. */
export const hostPaces = pgTable('host_paces', {
  host: text().primaryKey(),
  nextAt: instant().notNull(),
  /** When the request that was turned away last comes back. It has reserved nothing. */
  returnAt: instant(),
});

export type HostLimit = typeof hostLimits.$inferSelect;
