import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { Id } from '../platform/database/columns.js';
import { follows } from '../sources/follows.table.js';
import { sources } from '../sources/sources.table.js';
import { marks } from './marks.table.js';
import type { Author, Media, Metrics } from './post.js';
import { posts } from './posts.table.js';

export const FeedItem = z.strictObject({
  id: Id,
  sourceId: Id,
  source: z.strictObject({ id: Id, type: z.string(), title: z.string().nullable() }),
  externalId: z.string(),
  title: z.string().nullable(),
  url: z.string().nullable(),
  content: z.string(),
  publishedAt: z.iso.datetime(),
  author: z.strictObject({ username: z.string(), displayName: z.string(), avatarUrl: z.string().optional() }),
  mediaUrls: z.array(z.string()),
  media: z.array(z.strictObject({ url: z.string(), type: z.string().optional(), alt: z.string().optional() })),
  metrics: z
    .strictObject({ likes: z.number().optional(), comments: z.number().optional(), shares: z.number().optional() })
    .optional(),
  read: z.boolean(),
  starred: z.boolean(),
});
export type FeedItem = z.infer<typeof FeedItem>;

export const feedItemColumns = {
  id: posts.id,
  sourceId: posts.sourceId,
  sourceType: sources.type,
  sourceTitle: sql<string | null>`coalesce(${follows.title}, ${sources.title})`,
  externalId: posts.externalId,
  title: posts.title,
  url: posts.url,
  safeContent: posts.safeContent,
  publishedAt: posts.publishedAt,
  author: posts.author,
  media: posts.media,
  metrics: posts.metrics,
  read: sql<boolean>`coalesce(${marks.read}, ${posts.id} <= ${follows.readUpTo}, false)`,
  starred: sql<boolean>`${marks.starredAt} IS NOT NULL`,
};

export interface FeedItemRow {
  id: string;
  sourceId: string;
  sourceType: string;
  sourceTitle: string | null;
  externalId: string;
  title: string | null;
  url: string | null;
  safeContent: string;
  publishedAt: Date;
  author: Author;
  media: Media[];
  metrics: Metrics | null;
  read: boolean;
  starred: boolean;
}

export function toFeedItem(row: FeedItemRow): FeedItem {
  const { id, sourceId, externalId, title, url, author, metrics, read, starred } = row;
  const { username, displayName, avatarUrl } = author;
  return {
    id,
    sourceId,
    externalId,
    title,
    url,
    read,
    starred,
    source: { id: sourceId, type: row.sourceType, title: row.sourceTitle },
    content: row.safeContent,
    publishedAt: row.publishedAt.toISOString(),
    author: { username, displayName, ...(avatarUrl && { avatarUrl }) },
    mediaUrls: row.media.map((media) => media.url),
    media: row.media,
    ...(metrics && { metrics }),
  };
}
