import type { CleanPost } from './clean-post.js';
import type { PostTime } from './post.js';
import type { SafeHtml } from './safe-html.js';

/** A post that is new or has changed. */
export interface PreparedPost extends CleanPost, PostTime {
  publishedAt: Date;
  safe: SafeHtml;
  /** True if it was not stored at the time of the comparison. */
  isNew: boolean;
}

/** A post of which only the metrics have changed. */
interface NewMetrics extends CleanPost {
  id: string;
}

/** A post that is stored unchanged. */
interface KnownPost {
  id: string;
  externalId: string;
}

/** The result of comparing a page with stored posts, computed before the transaction that saves it. */
export interface PreparedPosts {
  sourceId: string;
  foundAt: Date;
  /** Posts, oldest first. */
  posts: PreparedPost[];
  metrics: NewMetrics[];
  unchanged: KnownPost[];
}
