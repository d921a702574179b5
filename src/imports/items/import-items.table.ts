import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { idReference } from '../../platform/database/columns.js';
import { OUTCOMES } from '../import-status.js';
import { imports } from '../imports.table.js';
import type { Fields } from './field-mapping.js';

/** Records that an import has brought a post, once per post, however often its feeds contain it. */
export const importItems = pgTable(
  'import_items',
  {
    importId: idReference()
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    postId: idReference().notNull(),
    batchId: idReference().notNull(),
    outcome: text({ enum: OUTCOMES }).notNull(),
    fields: jsonb().$type<Fields>(),
    fieldTerms: text().array(),
  },
  (table) => [
    primaryKey({ columns: [table.importId, table.postId] }),
    index('import_items_of_batch').on(table.batchId),
    index('import_items_fields').using('gin', table.fieldTerms).where(sql`field_terms IS NOT NULL`),
  ],
);
