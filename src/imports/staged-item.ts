import type { FoundPost } from '../posts/post.js';

/** An item between being fetched and being written, as JSON. */
export interface StagedItem {
  /** Where it stood in its page, from 1. */
  place: number;
  post?: StagedPost;
  /** Why it could not even be read. */
  unreadable?: string;
}

export type StagedPost = Omit<FoundPost, 'publishedAt'> & { publishedAt?: string | undefined };
