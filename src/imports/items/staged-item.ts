import type { FoundPost } from '../../posts/post.js';
import type { FieldMapping } from './field-mapping.js';

/** An item between fetching and writing, as JSON. */
export interface StagedItem {
  /** Position in its page, from 1. */
  place: number;
  post?: StagedPost;
  unreadable?: string;
}

type StagedPost = Omit<FoundPost, 'publishedAt'> & { publishedAt?: string | undefined };

export interface ReadPage {
  posts: FoundPost[];
  unreadable?: { place: number; reason: string }[] | undefined;
  /** Positions of items that repeat another one. */
  repeated?: number[] | undefined;
}

/** Posts take the positions that unreadable and repeated items leave. */
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

/** The feed parser decides which items are posts, so that an import and a follow of a feed store the same. */
export function checkItem(
  { post, unreadable }: StagedItem,
  mapping: FieldMapping | null,
): { post: FoundPost } | { reason: string } {
  if (!post) return { reason: unreadable ?? 'it is empty' };
  const { publishedAt, fields = {} } = post;
  const missing = Object.entries(mapping ?? {}).filter(
    ([name, { required }]) => required && !Object.hasOwn(fields, name),
  );
  if (missing.length)
    return { reason: missing.map(([name, { from }]) => `no ${name}: looked for ${from.join(', ')}`).join('; ') };
  return { post: { ...post, publishedAt: publishedAt === undefined ? undefined : new Date(publishedAt) } };
}
