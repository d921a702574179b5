import { pgTable } from 'drizzle-orm/pg-core';
import { bytes, idReference } from '../../platform/database/columns.js';
import { sources } from '../../sources/sources.table.js';

/** Digests of a feed's items as of the last read. Items with the same digest are not parsed again. */
export const feedDigests = pgTable('feed_digests', {
  id: idReference()
    .primaryKey()
    .references(() => sources.id, { onDelete: 'cascade' }),
  items: bytes().notNull(),
});
