import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { idColumn, idReference, instant } from '../platform/database/columns.js';

/** Nothing writes these any more: a moved source keeps its row, and `moved_to` of `fetch_states` names the target. */
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

export const sources = pgTable(
  'sources',
  {
    id: idColumn(),
    type: text().notNull(),
    /** Normalised by its type, so that a source has one spelling. */
    externalId: text().notNull(),
    title: text(),
    siteUrl: text(),
    /** Site whose icon it shows (`site_icons`), empty for none. Null until it is determined, and after `siteUrl` changed. */
    iconSite: text(),
    followers: integer().notNull().default(0),
    /** Highest publication time and highest id of its posts. They must be exact, because timelines are read by them. */
    lastPostAt: instant(),
    lastPostId: idReference(),
    /** Rises whenever its posts change, which invalidates caches. */
    revision: integer().notNull().default(0),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    // Addresses may be longer than an index entry can be.
    uniqueIndex('sources_identity').on(table.type, sql`md5(external_id)`),
    index('sources_without_icon_site').on(table.id).where(sql`icon_site IS NULL AND followers > 0`),
    index('sources_of_icon_site').on(table.iconSite).where(sql`icon_site <> ''`),
  ],
);

export type SourceRow = typeof sources.$inferSelect;

export type SourceIdentity = Pick<SourceRow, 'type' | 'externalId'>;
