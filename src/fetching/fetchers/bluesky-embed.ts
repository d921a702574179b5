import { z } from 'zod';
import type { Media } from '../../posts/post.js';
import { webAddress } from '../parsing/addresses.js';
import { escapeHtml } from '../parsing/text/escape-html.js';
import { OptionalText } from './read-json.js';
import { link, paragraphs } from './write-html.js';

/** What is attached to a post, as far as we can show it. */
interface Attached {
  html: string;
  media: Media[];
}

const Images = z.object({
  $type: z.literal('app.bsky.embed.images#view'),
  images: z.array(z.object({ fullsize: z.string(), alt: OptionalText })),
});
const Video = z.object({
  $type: z.literal('app.bsky.embed.video#view'),
  playlist: z.string(),
  thumbnail: OptionalText,
  alt: OptionalText,
});
const External = z.object({
  $type: z.literal('app.bsky.embed.external#view'),
  external: z.object({ uri: z.string(), title: z.string().catch(''), description: z.string().catch('') }),
});
/** A post that is quoted. It may be deleted or hidden, or be a list or a feed: then there is nothing to quote. */
const Quoted = z.object({
  $type: z.literal('app.bsky.embed.record#viewRecord'),
  uri: z.string(),
  author: z.object({ did: z.string(), handle: z.string() }),
  value: z.object({ text: z.string() }),
});
const Quote = z.object({ $type: z.literal('app.bsky.embed.record#view'), record: Quoted });
const QuoteWithMedia = z.object({
  $type: z.literal('app.bsky.embed.recordWithMedia#view'),
  record: z.object({ record: z.unknown().optional() }),
  media: z.unknown().optional(),
});
const Embed = z.discriminatedUnion('$type', [Images, Video, External, Quote]);

const NOTHING: Attached = { html: '', media: [] };

/** The union is open: kinds that are not known yet, or broken, are left out rather than the post. */
export function attachedBy(embed: unknown): Attached {
  const both = QuoteWithMedia.safeParse(embed).data;
  if (!both) return oneAttached(embed);
  const { media, record } = both;
  return together(oneAttached(media), oneAttached({ ...record, $type: 'app.bsky.embed.record#view' }));
}

function oneAttached(embed: unknown): Attached {
  const { data } = Embed.safeParse(embed);
  switch (data?.$type) {
    case 'app.bsky.embed.images#view':
      return { html: '', media: data.images.flatMap(({ fullsize, alt }) => image(fullsize, alt)) };
    case 'app.bsky.embed.video#view':
      return { html: '', media: video(data) };
    case 'app.bsky.embed.external#view':
      return { html: card(data.external), media: [] };
    case 'app.bsky.embed.record#view':
      return { html: quote(data.record), media: [] };
    default:
      return NOTHING;
  }
}

/** Where a post is read: an `at://…/app.bsky.feed.post/key` of somebody. */
export function postUrl(uri: string, { did, handle }: { did: string; handle: string }): string | undefined {
  const key = /^at:\/\/[^/]+\/app\.bsky\.feed\.post\/([\w.~:-]+)$/.exec(uri)?.[1];
  return key && `${profileUrl({ did, handle })}/post/${key}`;
}

/** A name that can no longer be verified is given as `handle.invalid`. */
export function profileUrl({ did, handle }: { did: string; handle: string }): string {
  return `https://bsky.app/profile/${encodeURIComponent(handle === 'handle.invalid' ? did : handle).replaceAll('%3A', ':')}`;
}

function together(a: Attached, b: Attached): Attached {
  return { html: a.html + b.html, media: [...a.media, ...b.media] };
}

function card({ uri, title, description }: z.infer<typeof External>['external']): string {
  const about = description.trim() && `<br>${escapeHtml(description.trim())}`;
  return `<p>${link(uri, title.trim() || uri)}${about}</p>`;
}

function quote({ uri, author, value }: z.infer<typeof Quoted>): string {
  return `<blockquote><p>${link(postUrl(uri, author) ?? '', `@${author.handle}`)}</p>${paragraphs(value.text)}</blockquote>`;
}

function image(address: string, alt: string | null | undefined): Media[] {
  const url = webAddress(address);
  const type = /@(jpeg|png|webp)$/.exec(url ?? '')?.[1];
  return url ? [{ url, type: type && `image/${type}`, alt: alt?.trim() || undefined }] : [];
}

function video({ playlist, thumbnail, alt }: z.infer<typeof Video>): Media[] {
  const url = webAddress(playlist);
  const stream = url ? [{ url, type: 'application/vnd.apple.mpegurl', alt: alt?.trim() || undefined }] : [];
  return [...stream, ...image(thumbnail ?? '', alt)];
}
