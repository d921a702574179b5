import { z } from 'zod';
import { canParseUrl } from '../../../platform/can-parse-url.js';
import type { Content, Published } from '../../platform.js';
import { sameWords, wordsWithLink } from '../post-words.js';
import { fromLittleText, toLittleText } from './linkedin-little-text.js';

/** A post has either pictures or a link, so the link of a post with pictures goes into the text. */
export const textOf = (content: Content): string => (content.mediaUrls.length ? wordsWithLink(content) : content.text);

export function newPost(content: Content, author: string, images: string[]) {
  const attached = attachment(content, images);
  return {
    author,
    commentary: toLittleText(textOf(content)),
    visibility: 'PUBLIC',
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
    ...(attached && { content: attached }),
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: false,
  };
}

function attachment({ link, title }: Content, images: string[]) {
  const [image] = images;
  if (image && images.length === 1) return { media: { id: image } };
  if (image) return { multiImage: { images: images.map((id) => ({ id })) } };
  // LinkedIn does not read the page itself, and an article requires a title.
  return link ? { article: { source: link, title: title?.trim() || new URL(link).hostname } } : undefined;
}

const Moment = z.number().nullish().catch(undefined);
const Media = z.object({ id: z.string() });

export const Post = z.object({
  id: z.string(),
  commentary: z.string().nullish(),
  createdAt: Moment,
  publishedAt: Moment,
  lastModifiedAt: Moment,
  content: z
    .object({
      media: Media.nullish().catch(undefined),
      multiImage: z
        .object({ images: z.array(Media) })
        .nullish()
        .catch(undefined),
      article: z.object({ source: z.string() }).nullish().catch(undefined),
    })
    .nullish()
    .catch(undefined),
});
export type Post = z.infer<typeof Post>;

export const publishedAs = (id: string): Published => ({
  postId: id,
  url: `https://www.linkedin.com/feed/update/${id}/`,
});

export interface Likeness {
  content: Content;
  images: string[];
  since: Date;
  others?: ReadonlySet<string> | undefined;
}

/** Pictures were uploaded for one post and identify it. Without pictures, text, link and time are compared. */
export function isAlike(post: Post, { content, images, since, others }: Likeness): boolean {
  if (others?.has(post.id)) return false;
  const theirs = imagesOf(post);
  if (images.length) return theirs.length === images.length && images.every((id) => theirs.includes(id));
  const source = post.content?.article?.source;
  const sameLink = content.link
    ? source !== undefined && normalisedUrl(source) === normalisedUrl(content.link)
    : !source;
  return !theirs.length && sameLink && shownAt(post) >= since.getTime() && sameText(textOf(content), post);
}

function imagesOf({ content }: Post): string[] {
  const { media, multiImage } = content ?? {};
  return [...(media ? [media] : []), ...(multiImage?.images ?? [])].map(({ id }) => id);
}

export const shownAt = (post: Post) => post.publishedAt ?? post.createdAt ?? timeIn(post.id) ?? 0;

/** The first 41 of the 63 bits of a post's number are the milliseconds of its creation. */
export function timeIn(urn: string): number | undefined {
  const number = /:(\d{18,19})$/.exec(urn)?.[1];
  return number === undefined ? undefined : Number(BigInt(number) >> 22n);
}

function sameText(text: string, { commentary }: Post): boolean {
  const theirs = fromLittleText(commentary ?? '');
  const isShortened = theirs.includes('https://lnkd.in/');
  return sameWords(text, theirs) || (isShortened && sameWords(withoutLinks(text), withoutLinks(theirs)));
}

/** LinkedIn may replace long addresses with short ones of its own. */
const withoutLinks = (text: string) => text.replace(/https?:\/\/\S+/gu, '(link)');
const normalisedUrl = (url: string) => (canParseUrl(url) ? new URL(url).href : url);
