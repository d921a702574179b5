import { sql } from 'drizzle-orm';
import { integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { idColumn, idReference, instant } from '../platform/database/columns.js';

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
