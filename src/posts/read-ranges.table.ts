import { customType, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { users } from '../auth/users/users.table.js';
import { idReference } from '../platform/database/columns.js';
import { sources } from '../sources/sources.table.js';

const idRanges = customType<{ data: string }>({ dataType: () => 'int8multirange' });

/**
 * Summarises the marks of a user on the posts of a source: each of its posts with an id in `ids` is marked as read.
 * Neighbours share a range, so that a list of unread posts skips them without looking at each mark. A mark may be missing
 * here, because the marks are the truth.
 */
export const readRanges = pgTable(
  'read_ranges',
  {
    userId: idReference()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    sourceId: idReference()
      .notNull()
      .references(() => sources.id, { onDelete: 'cascade' }),
    ids: idRanges().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.sourceId] })],
);
