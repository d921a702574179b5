import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { users } from '../auth/users/users.table.js';
import { idReference, instant } from '../platform/database/columns.js';
import { sources } from './sources.table.js';

export const follows = pgTable(
  'follows',
  {
    userId: idReference()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    sourceId: idReference()
      .notNull()
      .references(() => sources.id, { onDelete: 'cascade' }),
    folder: text(),
    title: text(),
    maxDelayMinutes: integer(),
    /** Posts up to this id are read, unless a mark on a single post says otherwise. */
    readUpTo: idReference().notNull().default('0'),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.sourceId] }),
    index('follows_of_source').on(table.sourceId, table.userId),
    // Few follows have one, and the shortest is looked up whenever a follower comes or goes.
    index('follows_with_wish')
      .on(table.sourceId, table.userId, table.maxDelayMinutes)
      .where(sql`max_delay_minutes IS NOT NULL`),
  ],
);
