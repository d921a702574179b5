import { pgTable } from 'drizzle-orm/pg-core';
import { bytes, idReference } from '../../platform/database/columns.js';
import { sources } from '../../sources/sources.table.js';

export const feedDigests = pgTable('feed_digests', {
  id: idReference()
    .primaryKey()
    .references(() => sources.id, { onDelete: 'cascade' }),
  items: bytes().notNull(),
});
