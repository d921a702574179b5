import { z } from 'zod';
import { canParseUrl } from '../../../platform/can-parse-url.js';
import {
  type Content,
  definePlatform,
  type PlatformTools,
  type PublishCommand,
  type Published,
  PublishFailure,
} from '../../platform.js';
import { AccessToken, type Graph, GraphId, makeUnseen, readGraph, show, shown } from '../graph/graph-api.js';
import { complaintOf } from '../graph/graph-failure.js';
import { closestTo, GraphTime, listedSince } from '../graph/graph-listing.js';
import { asciiAddress } from '../media-address.js';
import { sameWords } from '../post-words.js';
import { checkForFacebook, FACEBOOK_ACCEPTS, messageOf } from './facebook-check.js';

const Target = z.object({ id: z.string().nullish() }).nullish();

const Address = z.string().nullish();

const Attachment = z.object({
  media_type: z.string().nullish(),
  target: Target,
  url: Address,
  unshimmed_url: Address,
  subattachments: z.object({ data: z.array(z.object({ target: Target })).nullish() }).nullish(),
});

const FacebookPost = z
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

/** The limit exceeds the number of photos that our posts can have. */
const ALBUM = 'subattachments.limit(50){target{id}}';

const POST_FIELDS = `id,message,created_time,permalink_url,attachments{media_type,target{id},url,unshimmed_url,${ALBUM}}`;

const PLACE = 'Facebook';
const PAGE = '100';
const DUPLICATE = 506;
/** A call that comes later than this (ms) after the first intent is a repeat. */
const FIRST_TRY_MS = 30_000;

const Credentials = z.object({ pageId: GraphId, accessToken: AccessToken });
type Credentials = z.infer<typeof Credentials>;

interface Progress {
  photos: { url: string; id: string }[];
}
type Command = PublishCommand<Credentials, Progress>;

const Someone = z.object({ id: z.string(), name: z.string().nullish().catch(undefined) });

export const facebook = definePlatform<Credentials, Progress>({
  name: 'facebook',
  label: 'Facebook page',
  credentials: Credentials,
  limit: { most: 200, windowMs: 3_600_000 },
  workers: 3,
  accepts: FACEBOOK_ACCEPTS,
  check: checkForFacebook,

  async whose({ pageId, accessToken }, tools) {
    const graph = graphOf(accessToken, tools);
    const { id, name } = await readGraph(graph, { path: 'me', params: { fields: 'id,name' } }, Someone);
    if (id === pageId) return { id, name: name || id };
    throw new PublishFailure('AUTH_ERROR', `the token is not that of the page ${pageId}, but that of ${name || id}`);
  },

  async prepare({ content, credentials, progress }, tools, save) {
    const graph = graphOf(credentials.accessToken, tools);
    const path = `${credentials.pageId}/photos`;
    const photos: Progress['photos'] = [];
    for (const [at, url] of content.mediaUrls.entries()) {
      const known = progress?.photos[at];
      if (known?.url === url) {
        photos.push(known);
        continue;
      }
      const id = await makeUnseen(graph, { path, body: { url: asciiAddress(url), published: false } });
      photos.push({ url, id });
      await save({ photos });
    }
    return { photos };
  },

  async publish(command, tools) {
    const { credentials, intendedAt } = command;
    const graph = graphOf(credentials.accessToken, tools);
    const wasTried = intendedAt && tools.now().getTime() - intendedAt.getTime() > FIRST_TRY_MS;
    const response = await show(graph, { path: `${credentials.pageId}/feed`, body: bodyOf(command) });
    if (wasTried && complaintOf(response)?.code === DUPLICATE) return theOneItRepeats(command, tools);
    const { postId, announced } = await shown(graph, response);
    return { postId, url: postUrl(postId), ...(announced && { announced }) };
  },

  find,
});

/** Facebook stores no key of ours. A post is recognised by its photos, or by text and link if it has none. */
async function find({ content, credentials, intendedAt, progress, others }: Command, tools: PlatformTools) {
  if (!intendedAt) return undefined;
  const photoIds = photosFor(content, progress);
  const listing = { path: `${credentials.pageId}/published_posts`, params: { fields: POST_FIELDS, limit: PAGE } };
  const graph = graphOf(credentials.accessToken, tools);
  const same: FacebookPost[] = [];
  const similar: FacebookPost[] = [];
  for await (const post of listedSince(graph, { ...listing, item: FacebookPost }, intendedAt)) {
    if (photoIds.length) {
      if (showsPhoto(post, photoIds)) return published(post);
      continue;
    }
    if (others?.has(post.id)) continue;
    const like = likeness(post, content);
    if (like === 'same') same.push(post);
    if (like === 'similar') similar.push(post);
  }
  const found = closestTo(intendedAt, same);
  if (found) return published(found);
  if (similar[0]) throw doubtful(similar[0]);
  return undefined;
}

/** The post that Facebook reports as repeated may come from an earlier attempt whose answer was lost. */
async function theOneItRepeats(command: Command, tools: PlatformTools): Promise<Published> {
  const message = `${PLACE} says that this post is there already, and it could not be found`;
  try {
    const post = await find(command, tools);
    if (post) return post;
  } catch (cause) {
    throw new PublishFailure('UNCERTAIN', message, { cause });
  }
  throw new PublishFailure('UNCERTAIN', message);
}

function bodyOf({ content, progress }: Command): Record<string, unknown> {
  const message = messageOf(content);
  const photos = photosFor(content, progress);
  return {
    ...(message.trim() && { message }),
    ...(photos.length && { attached_media: photos.map((id) => ({ media_fbid: id })) }),
    ...(!photos.length && content.link && { link: asciiAddress(content.link) }),
  };
}

function photosFor({ mediaUrls }: Content, progress: Progress | undefined): string[] {
  return mediaUrls.map((url, at) => {
    const photo = progress?.photos[at];
    if (photo?.url === url) return photo.id;
    throw new PublishFailure('UNAVAILABLE', `a photo has not been uploaded to ${PLACE} yet`);
  });
}

const graphOf = (accessToken: string, tools: PlatformTools): Graph => ({
  place: PLACE,
  base: tools.config.facebookUrl,
  accessToken,
  tools,
});

const published = ({ id, url }: FacebookPost): Published => ({ postId: id, url: url ?? postUrl(id) });

const postUrl = (postId: string): string => `https://www.facebook.com/${postId}`;

function doubtful(post: FacebookPost): PublishFailure {
  const why = `the page shows ${post.id}, with the same text and another link`;
  return new PublishFailure('UNCERTAIN', `${why}: whether that is this post is not known`);
}

type Attachment = z.infer<typeof Attachment>;
type FacebookPost = z.infer<typeof FacebookPost>;

function showsPhoto({ attachments }: FacebookPost, photoIds: string[]): boolean {
  return attachments.some((attachment) => photosOf(attachment).some((id) => photoIds.includes(id)));
}

/** Posts are `similar` if only the link differs, because Facebook may show the page's canonical link instead. */
function likeness(post: FacebookPost, { text, link }: Content): 'same' | 'similar' | 'other' {
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
