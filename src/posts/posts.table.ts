import { sql } from 'drizzle-orm';
import { customType, index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { idColumn, idReference, instant } from '../platform/database/columns.js';
import { sources } from '../sources/sources.table.js';
import type { Author, Media, Metrics } from './post.js';

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/** What was found, once each. A removed post leaves its identity behind, so that its source cannot bring it back. */
export const posts = pgTable(
  'posts',
  {
    id: idColumn(),
    sourceId: idReference()
      .notNull()
      .references(() => sources.id, { onDelete: 'cascade' }),
    externalId: text().notNull(),
    url: text(),
    title: text(),
    /** HTML as it was sent. Never shown. */
    content: text(),
    /** The same made safe for showing. */
    safeContent: text().notNull().default(''),
    author: jsonb().$type<Author>().notNull(),
    media: jsonb().$type<Media[]>().notNull().default([]),
    metrics: jsonb().$type<Metrics>(),
    /** As the source says; when it was found, if the source does not say or says nonsense. */
    publishedAt: instant().notNull(),
    foundAt: instant().notNull(),
    /** Of everything the source sent: the same again costs no write. */
    contentHash: text().notNull(),
    search: tsvector(),
    removedAt: instant(),
  },
  (table) => [
    // Ids of strangers may be longer than an index entry can be.
    uniqueIndex('posts_identity').on(table.sourceId, sql`md5(external_id)`),
    index('posts_of_source')
      .on(table.sourceId, table.publishedAt.desc().nullsFirst(), table.id.desc().nullsFirst())
      .where(sql`removed_at IS NULL`),
    index('posts_search').using('gin', table.search),
    // What was found lately, for statistics. Posts come in that order, so it is a few pages and costs no write.
    index('posts_found').using('brin', table.foundAt).with({ autosummarize: true }),
  ],
);
