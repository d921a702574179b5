import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { keys } from '../auth/keys/keys.table.js';
import { users } from '../auth/users/users.table.js';
import { idColumn, idReference, instant } from '../platform/database/columns.js';

/** A token that gives read access to a user's timeline as a feed, and to nothing else. */
export const feedTokens = pgTable(
  'feed_tokens',
  {
    id: idColumn(),
    hash: text().notNull().unique(),
    userId: idReference()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /**
     * The key that created the token; both are revoked together. Null for tokens of earlier versions, which are valid
     * until replaced.
     */
    keyId: idReference().references(() => keys.id, { onDelete: 'cascade' }),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [index('feed_tokens_of_user').on(table.userId)],
);
