import { sql } from 'drizzle-orm';
import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { idColumn, idReference } from '../platform/database/columns.js';
import { sources } from './sources.table.js';

/**
 * External ids under which a source was known before it moved. Only read: a source that moves keeps its row, which says
 * where its followers are now (`moved_to` of `fetch_states`).
 */
export const sourceAliases = pgTable(
  'source_aliases',
  {
    id: idColumn(),
    type: text().notNull(),
    externalId: text().notNull(),
    sourceId: idReference()
      .notNull()
      .references(() => sources.id, { onDelete: 'cascade' }),
  },
  (table) => [
    uniqueIndex('source_aliases_identity').on(table.type, sql`md5(external_id)`),
    index('source_aliases_of_source').on(table.sourceId),
  ],
);
