import type { CleanPost } from './clean-post.js';
import type { PostTime } from './post.js';
import type { SafeHtml } from './safe-html.js';

export interface PreparedPost extends CleanPost, PostTime {
  publishedAt: Date;
  safe: SafeHtml;
  isNew: boolean;
}

interface NewMetrics extends CleanPost {
  id: string;
}

interface KnownPost {
  id: string;
  externalId: string;
}

export interface PreparedPosts {
  sourceId: string;
  foundAt: Date;
  posts: PreparedPost[];
  metrics: NewMetrics[];
  unchanged: KnownPost[];
}
