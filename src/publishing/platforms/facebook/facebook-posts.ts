import { z } from 'zod';
import { canParseUrl } from '../../../platform/can-parse-url.js';
import type { Content } from '../../platform.js';
import { GraphTime } from '../graph/graph-listing.js';
import { sameWords } from '../post-words.js';

const Target = z.object({ id: z.string().nullish() }).nullish();
const Address = z.string().nullish();

const Attachment = z.object({
  media_type: z.string().nullish(),
  target: Target,
  url: Address,
  unshimmed_url: Address,
  subattachments: z.object({ data: z.array(z.object({ target: Target })).nullish() }).nullish(),
});
type Attachment = z.infer<typeof Attachment>;

export const FacebookPost = z
  .object({
    id: z.string(),
    created_time: GraphTime,
    message: z.string().nullish(),
    permalink_url: z.string().nullish().catch(undefined),
    attachments: z.object({ data: z.array(Attachment).nullish() }).nullish(),
  })
  .transform(({ id, created_time, message, permalink_url, attachments }) => ({
    id,
    at: created_time,
    text: message ?? '',
    url: permalink_url ?? undefined,
    attachments: attachments?.data ?? [],
  }));
export type FacebookPost = z.infer<typeof FacebookPost>;

/** More parts of an album than a post of ours has. */
const ALBUM = 'subattachments.limit(50){target{id}}';
export const POST_FIELDS = `id,message,created_time,permalink_url,attachments{media_type,target{id},url,unshimmed_url,${ALBUM}}`;

/** Whether a post has one of these photos, which were uploaded for one publication alone. */
export function showsPhoto({ attachments }: FacebookPost, photoIds: string[]): boolean {
  return attachments.some((attachment) => photosOf(attachment).some((id) => photoIds.includes(id)));
}

/** How a post without photos is like a content: the link that Facebook shows may be the one that the page behind it names. */
export function likeness(post: FacebookPost, { text, link }: Content): 'same' | 'similar' | 'other' {
  const hasPhotos = post.attachments.some(({ media_type }) => media_type === 'photo' || media_type === 'album');
  if (hasPhotos || !sameWords(post.text, text)) return 'other';
  if (link === undefined || post.attachments.some((attachment) => leadsTo(attachment, link))) return 'same';
  return 'similar';
}

function photosOf({ target, subattachments }: Attachment): string[] {
  return [target, ...(subattachments?.data ?? []).map((part) => part.target)].flatMap((photo) => photo?.id ?? []);
}

function leadsTo({ unshimmed_url, url }: Attachment, link: string): boolean {
  return [unshimmed_url, url].some((address) => address && plain(address) === plain(link));
}

function plain(address: string): string {
  const url = canParseUrl(address) ? new URL(address) : undefined;
  if (!url) return address;
  url.searchParams.delete('fbclid');
  return `${url.host}${url.pathname.replace(/\/$/, '')}${url.search}${url.hash}`;
}
