import { bigint, index, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { users } from '../../auth/users/users.table.js';
import { idReference, instant } from '../../platform/database/columns.js';
import { sources } from '../../sources/sources.table.js';

/**
 * Item ids that a user has for posts which were stored before the user followed their source. Reading apps ask for ids
 * above the last one they know, so these are as new as the follow. The item id of any other post is its own id.
 */
export const backfills = pgTable(
  'backfills',
  {
    userId: idReference()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    sourceId: idReference()
      .notNull()
      .references(() => sources.id, { onDelete: 'cascade' }),
    /** In ascending order. Each is the item id of the post at the same place of `postIds`. */
    itemIds: bigint({ mode: 'bigint' }).array().notNull(),
    postIds: bigint({ mode: 'bigint' }).array().notNull(),
    firstItemId: idReference().notNull(),
    lastItemId: idReference().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.sourceId] }),
    index('backfills_of_user').on(table.userId, table.lastItemId),
  ],
);
