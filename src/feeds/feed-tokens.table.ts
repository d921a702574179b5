import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { users } from '../auth/users.table.js';
import { idColumn, idReference, instant } from '../platform/database/columns.js';

/** Lets whoever holds the address read a user's timeline as a feed, and nothing else. */
export const feedTokens = pgTable(
  'feed_tokens',
  {
    id: idColumn(),
    hash: text().notNull().unique(),
    userId: idReference()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [index('feed_tokens_of_user').on(table.userId)],
);
