import { sql } from 'drizzle-orm';
import { doublePrecision, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../database/columns.js';

/** Hosts that said stop, so that every process leaves them alone until then. */
export const hostBackoffs = pgTable('host_backoffs', {
  host: text().primaryKey(),
  until: instant().notNull(),
  reason: text().notNull(),
});

/** Who says so: `MILLRACE_HOST_LIMITS`, an administrator, the host in its headers, or the host by refusing us (429). */
export type LimitOrigin = 'environment' | 'set' | 'header' | 'refusal';

const momentColumn = () => instant().notNull().default(sql`now()`);
const countColumn = () => integer().notNull().default(0);

/** Hosts that take so many requests a minute and no more, shared by all parts and processes. Times are the database's. */
export const hostLimits = pgTable('host_limits', {
  host: text().primaryKey(),
  perMinute: integer().notNull(),
  origin: text().$type<LimitOrigin>().notNull(),
  because: text().notNull(),
  /** Since when it is this number. */
  learnedAt: momentColumn(),
  /** When the host last told or taught it: what was not seen for long is forgotten. */
  seenAt: momentColumn(),
  /** When the next request may begin. */
  nextAt: momentColumn(),
  /** Those that were sent away come back one after the other: when the next read is to, and when the last write. */
  returnAt: momentColumn(),
  writesAt: instant(),
  /** Requests of a minute and of the one before it; of them those that were no fetches of sources. */
  countedIn: momentColumn(),
  used: countColumn(),
  usedBefore: countColumn(),
  others: countColumn(),
  othersBefore: countColumn(),
  /** What a fetch from this host must be worth for its sources to share the limit; null: it binds nobody. */
  price: doublePrecision(),
});

export type HostLimit = typeof hostLimits.$inferSelect;
