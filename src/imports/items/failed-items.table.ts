import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, idReference, instant } from '../../platform/database/columns.js';
import { jobColumns, waitingIndex } from '../../platform/jobs/job-columns.js';
import { imports } from '../imports.table.js';
import { importBatches } from './import-batches.table.js';
import type { StagedItem } from './staged-item.js';

/** An item that could not be stored. Each has a dead letter, whose replay enqueues it. */
export const failedItems = pgTable(
  'failed_items',
  {
    id: idColumn(),
    importId: idReference()
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    batchId: idReference()
      .notNull()
      .references(() => importBatches.id, { onDelete: 'cascade' }),
    /** Null if it has no id of its own. */
    externalId: text(),
    /** Position in its page, from 1. */
    place: integer().notNull(),
    item: jsonb().$type<StagedItem>().notNull(),
    reason: text().notNull(),
    /** Set once a replay has stored it. */
    postId: idReference(),
    failedAt: instant().notNull(),
    ...jobColumns(),
  },
  (table) => [
    index('failed_items_of_import').on(table.importId, table.id),
    index('failed_items_of_batch').on(table.batchId),
    waitingIndex('failed_items_waiting', table),
  ],
);
export type FailedItem = typeof failedItems.$inferSelect;
