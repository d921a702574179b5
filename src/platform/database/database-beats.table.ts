import { sql } from 'drizzle-orm';
import { bigint, pgTable, smallint, uuid } from 'drizzle-orm/pg-core';
import { instant } from './columns.js';

/** A single row whose counter only rises. A backup contains the count of its moment. */
export const databaseBeats = pgTable('database_beats', {
  id: smallint().primaryKey(),
  /** Equal in every copy and backup of the database. */
  database: uuid().notNull().default(sql`gen_random_uuid()`),
  beat: bigint({ mode: 'number' }).notNull().default(0),
  beatAt: instant().notNull(),
});
