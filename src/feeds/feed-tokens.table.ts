import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { keys } from '../auth/keys/keys.table.js';
import { users } from '../auth/users/users.table.js';
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
    /** The key that asked for it, with which it ends; null for tokens of earlier versions, which end when they are replaced. */
    keyId: idReference().references(() => keys.id, { onDelete: 'cascade' }),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [index('feed_tokens_of_user').on(table.userId)],
);
