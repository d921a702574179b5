import { z } from 'zod';
import { Instant, maybe, Name, orElse, SchemaVersion } from './fields.js';
import { RemoteError } from './remote-error.js';

const Count = maybe(z.int().min(0));

export const RemotePost = z.object({
  /** The site's own id of the post, which never changes. */
  externalId: z.string().min(1).max(1_000),
  content: z.string(),
  /** The format of `content`. HTML is sanitised before it is shown. */
  contentFormat: orElse(z.enum(['html', 'text']), 'html'),
  title: maybe(z.string().max(10_000)),
  url: maybe(z.string().max(10_000)),
  mediaUrls: orElse(z.array(z.string().max(10_000)).max(100), []),
  publishedAt: Instant,
  author: z.object({
    username: z.string().max(500),
    displayName: z.string().max(500),
    avatarUrl: maybe(z.string().max(10_000)),
  }),
  metrics: maybe(z.object({ likes: Count, comments: Count, shares: Count })),
});
export type RemotePost = z.infer<typeof RemotePost>;

const answered = {
  schemaVersion: SchemaVersion,
  /** The value of the command. */
  jobId: Name,
  /** The value of the command. */
  sourceId: Name,
  timestamp: Instant,
  /** The duration in milliseconds. */
  processingTime: z.number().min(0),
};

export const FetchResult = z.discriminatedUnion('status', [
  z.object({
    ...answered,
    status: z.literal('success'),
    data: z.object({
      /** Posts are usually newest first, but pinned ones may precede them. */
      posts: z.array(RemotePost).max(1_000),
      /** The cursor of older posts, required while `hasMore` is true. */
      nextCursor: maybe(z.string().min(1).max(10_000)),
      hasMore: z.boolean(),
      metadata: maybe(z.looseObject({ totalAvailable: Count, fetchedCount: Count, skippedCount: Count })),
    }),
  }),
  z.object({ ...answered, status: z.literal('error'), error: RemoteError }),
]);
export type FetchResult = z.infer<typeof FetchResult>;
export type NewFetchResult = z.input<typeof FetchResult>;
