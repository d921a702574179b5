import { sql } from 'drizzle-orm';
import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, idReference, instant } from '../../platform/database/columns.js';
import { jobColumns, waitingIndex } from '../../platform/queue/job-rows.js';
import { FEED_STATUSES } from '../import-status.js';
import { imports } from '../imports.table.js';

/** When the next request of imports to a host may begin, over all processes. */
export const importHosts = pgTable('import_hosts', {
  host: text().primaryKey(),
  nextAt: instant().notNull(),
  /** When the last of those comes back that were sent away because the next turn was too far off. They have no turn yet. */
  returnAt: instant(),
});

/** One feed of an import. It waits for its turn as `idle`, so that a long list fills no queue. */
export const importFeeds = pgTable(
  'import_feeds',
  {
    id: idColumn(),
    importId: idReference()
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    /** As it was given. */
    url: text().notNull(),
    /** The source that it stands for, in its type's spelling; null if it cannot be one. */
    type: text(),
    externalId: text(),
    /** Where its items go; known once it was fetched. */
    sourceId: idReference(),
    /** For who follows it. */
    title: text(),
    folder: text(),
    status: text({ enum: FEED_STATUSES }).notNull().default('queued'),
    /** Why it failed, or why not all of it was read. */
    error: text(),
    /** Where its archive goes on, and the pages behind us, which it may lead back to. */
    cursor: text(),
    pages: text().array().notNull().default([]),
    /** Only used by processes of the version before, which reserve turns at hosts. */
    slotAt: instant(),
    startedAt: instant(),
    completedAt: instant(),
    ...jobColumns(),
  },
  (table) => [
    index('import_feeds_of_import').on(table.importId, table.status, table.id),
    index('import_feeds_open').on(table.importId, table.id).where(sql`status IN ('queued', 'fetching', 'storing')`),
    waitingIndex('import_feeds_waiting', table),
  ],
);
export type ImportFeed = typeof importFeeds.$inferSelect;
