import { z } from 'zod';
import type { Content } from '../../platform.js';
import { GraphTime } from '../graph/graph-listing.js';
import { sameWords, wordsWithLink } from '../post-words.js';

export const InstagramMedia = z
  .object({
    id: z.string(),
    timestamp: GraphTime,
    caption: z.string().nullish(),
    media_type: z.string().nullish(),
    permalink: z.string().nullish().catch(undefined),
    children: z.object({ data: z.array(z.unknown()).nullish() }).nullish(),
  })
  .transform(({ id, timestamp, caption, media_type, permalink, children }) => ({
    id,
    at: timestamp,
    caption: caption ?? '',
    isCarousel: media_type === 'CAROUSEL_ALBUM',
    url: permalink ?? undefined,
    parts: children?.data?.length,
  }));
export type InstagramMedia = z.infer<typeof InstagramMedia>;

export const MEDIA_FIELDS = 'id,caption,media_type,timestamp,permalink,children{id}';

/** Whether a post has the caption and the number of media of a content. */
export function isLike({ caption, isCarousel, parts }: InstagramMedia, content: Content): boolean {
  const { length } = content.mediaUrls;
  if (isCarousel !== length > 1 || !sameWords(caption, wordsWithLink(content))) return false;
  return !isCarousel || parts === undefined || parts === length;
}
