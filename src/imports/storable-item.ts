import { z } from 'zod';
import { canParseUrl } from '../platform/can-parse-url.js';
import { storableText } from '../platform/queue/storable.js';
import type { FoundPost } from '../posts/post.js';
import type { FieldMapping } from './field-mapping.js';
import type { StagedItem } from './staged-item.js';

const LONGEST_ID = 1_000;
const LONGEST_URL = 10_000;
const LONGEST_TITLE = 10_000;
const LONGEST_CONTENT = 2_000_000;
const LONGEST_NAME = 1_000;
const MOST_MEDIA = 500;

const text = (most: number) => z.string().max(most, `longer than ${most} characters`);
const address = text(LONGEST_URL).refine((url) => /^https?:\/\//i.test(url) && canParseUrl(url), 'not a web address');

/** What a storable item is. */
const StorablePost = z
  .object({
    externalId: z.string().transform(storableText).pipe(text(LONGEST_ID).min(1, 'it has no id')),
    url: address.optional(),
    title: text(LONGEST_TITLE).optional(),
    content: text(LONGEST_CONTENT),
    contentBase: z.string().optional(),
    author: z.object({
      username: text(LONGEST_NAME),
      displayName: text(LONGEST_NAME),
      avatarUrl: z.string().optional(),
    }),
    media: z
      .array(z.object({ url: address, type: z.string().optional(), alt: z.string().optional() }))
      .max(MOST_MEDIA, `more than ${MOST_MEDIA} files`),
    metrics: z.object({ likes: z.number(), comments: z.number(), shares: z.number() }).partial().optional(),
    publishedAt: z.coerce.date('not a date').optional(),
    fields: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
  })
  .refine(({ url, title, content, media }) => url || title || content.trim() || media.length, {
    error: 'it has no link, title, content or file',
  });

/** Whether an item can be stored, with all the fields that its import requires; and why not, in words. */
export function checkItem(item: StagedItem, mapping: FieldMapping | null): { post: FoundPost } | { reason: string } {
  if (!item.post) return { reason: item.unreadable ?? 'it is empty' };
  const checked = StorablePost.safeParse(item.post);
  if (!checked.success) return { reason: checked.error.issues.map(describe).join('; ') };
  const found = item.post.fields ?? {};
  const missing = Object.entries(mapping ?? {}).filter(
    ([name, { required }]) => required && !Object.hasOwn(found, name),
  );
  if (missing.length)
    return { reason: missing.map(([name, { from }]) => `no ${name}: looked for ${from.join(', ')}`).join('; ') };
  return { post: checked.data };
}

const describe = ({ path, message }: z.core.$ZodIssue) => (path.length ? `${path.join('.')}: ${message}` : message);
