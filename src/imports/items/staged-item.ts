import type { FoundPost } from '../../posts/post.js';

/** An item between being fetched and being written, as JSON. */
export interface StagedItem {
  /** Where it stood in its page, from 1. */
  place: number;
  post?: StagedPost;
  /** Why it could not even be read. */
  unreadable?: string;
}

type StagedPost = Omit<FoundPost, 'publishedAt'> & { publishedAt?: string | undefined };

export interface ReadPage {
  posts: FoundPost[];
  unreadable?: { place: number; reason: string }[] | undefined;
  /** Places of items that repeat another one. */
  repeated?: number[] | undefined;
}

/** In the order of the page: what could not be read stands where it stood, repeats leave theirs empty, and the posts fill the others. */
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
