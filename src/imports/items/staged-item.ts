import type { FoundPost } from '../../posts/post.js';

/** An item between fetching and writing, as JSON. */
export interface StagedItem {
  /** Position in its page, from 1. */
  place: number;
  post?: StagedPost;
  /** Reason why it could not be parsed. */
  unreadable?: string;
}

type StagedPost = Omit<FoundPost, 'publishedAt'> & { publishedAt?: string | undefined };

export interface ReadPage {
  posts: FoundPost[];
  unreadable?: { place: number; reason: string }[] | undefined;
  /** Positions of items that repeat another one. */
  repeated?: number[] | undefined;
}

/**
 * Returns items in the order of the page: unreadable ones at their own positions, and posts at the positions left by
 * unreadable and repeated ones.
 */
export function stagedItems({ posts, unreadable = [], repeated = [] }: ReadPage): StagedItem[] {
  const taken = new Set([...unreadable.map(({ place }) => place), ...repeated]);
  const items: StagedItem[] = unreadable.map(({ place, reason }) => ({ place, unreadable: reason }));
  let place = 0;
  for (const post of posts) {
    do place += 1;
    while (taken.has(place));
    const { publishedAt, ...rest } = post;
    items.push({ place, post: { ...rest, publishedAt: publishedAt?.toISOString() } });
  }
  return items.toSorted((a, b) => a.place - b.place);
}
