import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { idColumn, idReference, instant } from '../platform/database/columns.js';

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

/** What can be followed, once each, however many follow it. */
export const sources = pgTable(
  'sources',
  {
    id: idColumn(),
    type: text().notNull(),
    /** As its type normalises it: one spelling for one source. */
    externalId: text().notNull(),
    title: text(),
    siteUrl: text(),
    followers: integer().notNull().default(0),
    /** Publication time and id of its newest kept posts. Exact: timelines are read by them. */
    lastPostAt: instant(),
    lastPostId: idReference(),
    /** Rises whenever its posts change, so that what is cached about them is known to be old. */
    revision: integer().notNull().default(0),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    // Addresses may be longer than an index entry can be.
    uniqueIndex('sources_identity').on(table.type, sql`md5(external_id)`),
  ],
);

export type SourceRow = typeof sources.$inferSelect;

/** What tells a source from all others: its type, and its id in the spelling of that type. */
export type SourceIdentity = Pick<SourceRow, 'type' | 'externalId'>;
