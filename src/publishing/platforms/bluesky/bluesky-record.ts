import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Content } from '../../platform.js';
import { wordsWithLink } from '../post-words.js';
import { facetsOf } from './bluesky-facets.js';

export const COLLECTION = 'app.bsky.feed.post';

export const Blob = z.object({
  $type: z.literal('blob'),
  ref: z.object({ $link: z.string().min(1) }),
  mimeType: z.string(),
  size: z.number(),
});
export type Blob = z.infer<typeof Blob>;

export interface Prepared {
  images: { blob: Blob }[];
  dids: Record<string, string>;
}

/** A post has one embed, so the link of a post with pictures goes into the text. */
export function textOf(content: Content): string {
  return (content.mediaUrls.length ? wordsWithLink(content) : content.text).trim().toWellFormed();
}

export function newRecord(content: Content, { images, dids }: Prepared, createdAt: Date) {
  const text = textOf(content);
  const facets = facetsOf(text, dids);
  const embed = embedOf(content, images);
  return {
    $type: COLLECTION,
    text,
    createdAt: createdAt.toISOString(),
    ...(facets.length > 0 && { facets }),
    ...(embed && { embed }),
  };
}

function embedOf({ link, title }: Content, images: Prepared['images']) {
  if (images.length) {
    return { $type: 'app.bsky.embed.images', images: images.map(({ blob }) => ({ image: blob, alt: '' })) };
  }
  if (link === undefined) return undefined;
  const { href: uri, host } = new URL(link);
  return { $type: 'app.bsky.embed.external', external: { uri, title: title?.toWellFormed() || host, description: '' } };
}

const ALPHABET = '234567abcdefghijklmnopqrstuvwxyz';
const SIGNS = 13;
const EARLIEST_US = BigInt(Date.UTC(2020, 0, 1)) * 1_000n;

/**
 * Records are stored under a TID: 53 bits of microseconds since 1970 and 10 more bits. This one depends on the key
 * alone, so that every attempt names the same record. Its time lies in the two years before Bluesky existed, so it
 * never collides with other clients and never sorts after later posts. Readers see `createdAt`.
 */
export function recordKey(key: string): string {
  const random = createHash('sha256').update(key).digest().readBigUInt64BE();
  const tid = (EARLIEST_US << 10n) + BigInt.asUintN(56, random);
  return Array.from({ length: SIGNS }, (_, at) => {
    return ALPHABET.charAt(Number((tid >> BigInt(5 * (SIGNS - 1 - at))) & 31n));
  }).join('');
}
