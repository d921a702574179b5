import { z } from 'zod';
import type { Media } from '../../posts/post.js';
import { webAddress } from '../parsing/addresses.js';
import { escapeHtml } from '../parsing/text/escape-html.js';
import { OptionalText } from './read-json.js';
import { link, paragraphs } from './write-html.js';

interface Attachments {
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
/** A quoted post. Deleted or hidden posts, lists and feeds do not match and are not shown. */
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

const NOTHING: Attachments = { html: '', media: [] };

/** The union is open: unknown or invalid embeds are left out, and the post is kept. */
export function attachedBy(embed: unknown): Attachments {
  const both = QuoteWithMedia.safeParse(embed).data;
  if (!both) return oneAttached(embed);
  const { media, record } = both;
  return together(oneAttached(media), oneAttached({ ...record, $type: 'app.bsky.embed.record#view' }));
}

function oneAttached(embed: unknown): Attachments {
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

export function postUrl(uri: string, { did, handle }: { did: string; handle: string }): string | undefined {
  const key = /^at:\/\/[^/]+\/app\.bsky\.feed\.post\/([\w.~:-]+)$/.exec(uri)?.[1];
  return key && `${profileUrl({ did, handle })}/post/${key}`;
}

/** The API returns `handle.invalid` for a handle that can no longer be verified. */
export function profileUrl({ did, handle }: { did: string; handle: string }): string {
  return `https://bsky.app/profile/${encodeURIComponent(handle === 'handle.invalid' ? did : handle).replaceAll('%3A', ':')}`;
}

function together(a: Attachments, b: Attachments): Attachments {
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
