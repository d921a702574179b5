import { sql } from 'drizzle-orm';
import { boolean, customType, index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { idColumn, idReference, instant } from '../platform/database/columns.js';
import { sources } from '../sources/sources.table.js';
import type { Author, Media, Metrics } from './post.js';

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/** Found posts, each stored once. A removed post keeps its identity, so that its source cannot add it again. */
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
    /** HTML as received. Never shown. */
    content: text(),
    safeContent: text().notNull().default(''),
    author: jsonb().$type<Author>().notNull(),
    media: jsonb().$type<Media[]>().notNull().default([]),
    metrics: jsonb().$type<Metrics>(),
    publishedAt: instant().notNull(),
    /** False if the source stated no plausible time, so that `publishedAt` is the time of discovery. */
    dated: boolean().notNull().default(true),
    foundAt: instant().notNull(),
    /** Hash of everything the source sent. An unchanged post is not written again. */
    contentHash: text().notNull(),
    /** Words of posts that were stored before `post_words` existed. */
    search: tsvector(),
    removedAt: instant(),
  },
  (table) => [
    // External ids may be longer than an index entry.
    uniqueIndex('posts_identity').on(table.sourceId, sql`md5(external_id)`),
    index('posts_of_source')
      .on(table.sourceId, table.publishedAt.desc().nullsFirst(), table.id.desc().nullsFirst())
      .where(sql`removed_at IS NULL`),
    // In the order in which reading apps ask for posts. The time is part of it, so that lists of ids need no rows.
    index('posts_by_id').on(table.sourceId, table.id, table.foundAt).where(sql`removed_at IS NULL`),
    index('posts_search').using('gin', table.search),
    // Finds recent posts for statistics. Posts are stored in this order, so the index is small and cheap to maintain.
    index('posts_found').using('brin', table.foundAt).with({ autosummarize: true }),
  ],
);

/** Words for the search. They are stored after their posts and in bulk, because they cost more than the posts. */
export const postWords = pgTable(
  'post_words',
  {
    id: idReference()
      .primaryKey()
      .references(() => posts.id, { onDelete: 'cascade' }),
    words: tsvector().notNull(),
  },
  (table) => [index('post_words_search').using('gin', table.words)],
);

/** Texts of posts whose words are not stored yet. */
export const unindexedPosts = pgTable('unindexed_posts', {
  id: idReference().primaryKey(),
  text: text().notNull(),
});
