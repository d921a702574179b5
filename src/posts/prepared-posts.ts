import type { CleanPost } from './clean-post.js';
import type { SafeHtml } from './safe-html.js';

/** A post that is new or has changed. */
export interface PreparedPost extends CleanPost {
  publishedAt: Date;
  safe: SafeHtml;
  /** It was not known when it was compared. */
  isNew: boolean;
}

/** A post of which nothing but the metrics has changed. */
interface NewMetrics extends CleanPost {
  id: string;
}

/** A post that is stored as it was found. */
interface KnownPost {
  id: string;
  externalId: string;
}

/** What a page of posts comes to, worked out before the transaction that saves it. */
export interface PreparedPosts {
  sourceId: string;
  foundAt: Date;
  /** Oldest first. */
  posts: PreparedPost[];
  metrics: NewMetrics[];
  unchanged: KnownPost[];
}
