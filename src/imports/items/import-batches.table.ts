import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, idReference } from '../../platform/database/columns.js';
import { jobColumns, waitingIndex } from '../../platform/jobs/job-columns.js';
import { importFeeds } from '../feeds/import-feeds.table.js';
import { imports } from '../imports.table.js';

/** Items of a feed that are written, retried and counted together. The counts are those of its items' rows. */
export const importBatches = pgTable(
  'import_batches',
  {
    id: idColumn(),
    importId: idReference()
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    feedId: idReference()
      .notNull()
      .references(() => importFeeds.id, { onDelete: 'cascade' }),
    /** A list of StagedItem as JSON, until it is written. */
    items: text(),
    found: integer().notNull(),
    added: integer().notNull().default(0),
    updated: integer().notNull().default(0),
    unchanged: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    ...jobColumns(),
  },
  (table) => [
    index('import_batches_of_import').on(table.importId),
    index('import_batches_of_feed').on(table.feedId),
    index('import_batches_open').on(table.feedId).where(sql`job_state = 'waiting'`),
    waitingIndex('import_batches_waiting', table),
  ],
);
export type ImportBatch = typeof importBatches.$inferSelect;
