import { pgTable } from 'drizzle-orm/pg-core';
import { bytes, idReference } from '../../platform/database/columns.js';
import { sources } from '../../sources/sources.table.js';

/** What the items of a feed looked like when they were read last: those that still look so need not be read again. */
export const feedDigests = pgTable('feed_digests', {
  id: idReference()
    .primaryKey()
    .references(() => sources.id, { onDelete: 'cascade' }),
  items: bytes().notNull(),
});
