import { sql } from 'drizzle-orm';
import { bigint, pgTable, smallint, uuid } from 'drizzle-orm/pg-core';
import { instant } from './columns.js';

/** One row: which database this is, and a counter that only rises. A backup holds the count of its moment. */
export const databaseBeats = pgTable('database_beats', {
  /** Always 1. */
  id: smallint().primaryKey(),
  /** The same in every copy and backup of the database. */
  database: uuid().notNull().default(sql`gen_random_uuid()`),
  beat: bigint({ mode: 'number' }).notNull().default(0),
  beatAt: instant().notNull(),
});
