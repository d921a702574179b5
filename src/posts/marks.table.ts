import { sql } from 'drizzle-orm';
import { boolean, index, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { users } from '../auth/users/users.table.js';
import { idReference, instant } from '../platform/database/columns.js';
import { posts } from './posts.table.js';

export const marks = pgTable(
  'marks',
  {
    userId: idReference()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    postId: idReference()
      .notNull()
      .references(() => posts.id, { onDelete: 'cascade' }),
    /** Null: the follow's `readUpTo` decides. */
    read: boolean(),
    starredAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.postId] }),
    index('marks_of_post').on(table.postId),
    index('marks_starred').on(table.userId, table.starredAt),
    // Few marks say this, and every list of unread posts looks for them.
    index('marks_unread').on(table.userId, table.postId).where(sql`read = false`),
  ],
);
