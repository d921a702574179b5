import type { FoundPost } from '../../posts/post.js';
import type { FieldMapping } from './field-mapping.js';
import type { StagedItem } from './staged-item.js';

/**
 * Checks whether an item can be stored with all fields that its import requires, and gives the reason if not. The feed
 * parser decides which items are posts, so that an import and a follow of a feed store the same.
 */
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
