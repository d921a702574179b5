import { sql } from 'drizzle-orm';
import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, idReference, instant } from '../../platform/database/columns.js';
import { jobColumns, waitingIndex } from '../../platform/jobs/job-columns.js';
import { FEED_STATUSES } from '../import-status.js';
import { imports } from '../imports.table.js';

/** Used only by processes of the previous version, which take their host slots here. */
export const importHosts = pgTable('import_hosts', {
  host: text().primaryKey(),
  nextAt: instant().notNull(),
  returnAt: instant(),
});

/** The job stays `idle` until the scheduler enqueues it, so that a long list does not fill the queue. */
export const importFeeds = pgTable(
  'import_feeds',
  {
    id: idColumn(),
    importId: idReference()
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    url: text().notNull(),
    /** Type and normalised external id of the source; null if the feed is not usable. */
    type: text(),
    externalId: text(),
    /** Source that receives the items; known once the feed was fetched. */
    sourceId: idReference(),
    title: text(),
    folder: text(),
    status: text({ enum: FEED_STATUSES }).notNull().default('queued'),
    /** Reason for a failure, or for reading only part of the feed. */
    error: text(),
    /** Position in the archive, and hashes of the pages read so far, which the archive may link to again. */
    cursor: text(),
    pages: text().array().notNull().default([]),
    /** Used only by processes of the previous version, which reserve slots here. */
    slotAt: instant(),
    startedAt: instant(),
    completedAt: instant(),
    ...jobColumns(),
  },
  (table) => [
    index('import_feeds_of_import').on(table.importId, table.status, table.id),
    index('import_feeds_open').on(table.importId, table.id).where(sql`status IN ('queued', 'fetching', 'storing')`),
    index('import_feeds_of_source').on(table.sourceId),
    waitingIndex('import_feeds_waiting', table),
  ],
);
export type ImportFeed = typeof importFeeds.$inferSelect;
