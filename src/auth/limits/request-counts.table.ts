import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core';

/** rate-limiter-flexible writes this table and relies on the names and the order of its columns. */
export const requestCounts = pgTable('request_counts', {
  key: text().primaryKey(),
  points: integer().notNull().default(0),
  /** Milliseconds since 1970. */
  expire: bigint({ mode: 'number' }),
});
