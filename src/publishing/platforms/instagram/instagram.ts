import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  type Content,
  definePlatform,
  type PlatformTools,
  type PublishCommand,
  PublishFailure,
} from '../../platform.js';
import { AccessToken, type Graph, GraphId, makeUnseen, readGraph, show, shown } from '../graph/graph-api.js';
import { closestTo, GraphTime, listedSince } from '../graph/graph-listing.js';
import { asciiAddress } from '../media-address.js';
import { sameWords, wordsWithLink } from '../post-words.js';
import { checkForInstagram, INSTAGRAM_ACCEPTS, kindAt } from './instagram-check.js';
import { alreadyPublished, isAlive, statusOf, untilFinished } from './instagram-containers.js';

const InstagramMedia = z
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

const MEDIA_FIELDS = 'id,caption,media_type,timestamp,permalink,children{id}';

const PLACE = 'Instagram';
const PAGE = '50';
/** A published post may appear in the listing this much later (ms). */
const LISTED_WITHIN_MS = 10 * 60_000;
/** The pause (ms) after the daily quota is used up, because Instagram does not say when capacity returns. */
const ASK_AGAIN_MS = 15 * 60_000;

const Credentials = z.object({ userId: GraphId, accessToken: AccessToken });
type Credentials = z.infer<typeof Credentials>;

const Someone = z.object({ id: z.string(), username: z.string().nullish().catch(undefined) });
const Permalink = z.object({ permalink: z.string() });
/** An unreadable number sets no limit, because the platform decides in the end. */
const Amount = z.number().nullish().catch(undefined);
const Quota = z.object({
  data: z
    .array(z.object({ quota_usage: Amount, config: z.object({ quota_total: Amount }).nullish().catch(undefined) }))
    .catch([]),
});

/** A container is published only once, so further attempts use the same one while it exists. */
export const instagram = definePlatform<Credentials, Progress>({
  name: 'instagram',
  label: 'Instagram account',
  credentials: Credentials,
  limit: { most: 100, windowMs: 3_600_000 },
  workers: 2,
  accepts: INSTAGRAM_ACCEPTS,
  check: checkForInstagram,

  async whose({ userId, accessToken }, tools) {
    const graph = graphOf(accessToken, tools);
    const { id, username } = await readGraph(graph, { path: userId, params: { fields: 'id,username' } }, Someone);
    return { id, name: username || id };
  },

  async prepare(command, tools, save) {
    const { content, credentials, progress } = command;
    const graph = graphOf(credentials.accessToken, tools);
    const known = progress?.container;
    const status = known ? (await statusOf(graph, known.id)).status : 'GONE';
    if (status === 'PUBLISHED') throw alreadyPublished();
    await refuseBeyondQuota(graph, credentials);
    const isUsable = isAlive(status) && known?.madeOf === fingerprintOf(content);
    const prepared = isUsable && progress ? progress : await makeContainer(command, graph, save);
    if (prepared.container) await untilFinished(graph, prepared.container.id);
    return prepared;
  },

  async publish({ credentials, progress }, tools) {
    if (!progress?.container) throw new PublishFailure('UNAVAILABLE', `nothing was prepared on ${PLACE} yet`);
    const graph = graphOf(credentials.accessToken, tools);
    const body = { creation_id: progress.container.id };
    const post = await shown(graph, await show(graph, { path: `${credentials.userId}/media_publish`, body }));
    return { ...post, url: await readPermalink(graph, post.postId) };
  },

  /** Instagram stores no key of ours. The post of a published container is recognised by caption and media count. */
  async find({ content, credentials, intendedAt, progress, others }, tools) {
    if (!intendedAt || !progress?.container) return undefined;
    const graph = graphOf(credentials.accessToken, tools);
    const { status } = await statusOf(graph, progress.container.id);
    if (status === 'IN_PROGRESS') throw new PublishFailure('UNAVAILABLE', `${PLACE} is still at work on this post`);
    if (status !== 'PUBLISHED' && status !== 'GONE') return undefined;
    const listing = { path: `${credentials.userId}/media`, params: { fields: MEDIA_FIELDS, limit: PAGE } };
    const alike: InstagramMedia[] = [];
    for await (const media of listedSince(graph, { ...listing, item: InstagramMedia }, intendedAt)) {
      if (isLike(media, content) && !others?.has(media.id)) alike.push(media);
    }
    const found = closestTo(intendedAt, alike);
    if (found) return { postId: found.id, url: found.url };
    if (status === 'GONE') return undefined;
    if (tools.now().getTime() - intendedAt.getTime() < LISTED_WITHIN_MS) throw notListedYet();
    // The post was deleted or its caption was changed. It was published, and only the container's id is known.
    return { postId: progress.container.id };
  },
});

async function refuseBeyondQuota(graph: Graph, { userId }: Credentials): Promise<void> {
  const path = `${userId}/content_publishing_limit`;
  const { data } = await readGraph(graph, { path, params: { fields: 'quota_usage,config' } }, Quota);
  const used = data[0]?.quota_usage ?? 0;
  const most = data[0]?.config?.quota_total ?? Number.POSITIVE_INFINITY;
  if (used < most) return;
  const until = new Date(graph.tools.now().getTime() + ASK_AGAIN_MS);
  throw new PublishFailure('RATE_LIMITED', `${PLACE} takes ${most} posts a day from this account`, { until });
}

/** A missing permalink does not matter, because the post is published already. */
async function readPermalink(graph: Graph, id: string): Promise<string | undefined> {
  const request = { path: id, params: { fields: 'permalink' }, timeouts: { total: 5_000, line: 5_000 } };
  try {
    return (await readGraph(graph, request, Permalink)).permalink;
  } catch {
    return undefined;
  }
}

function notListedYet(): PublishFailure {
  return new PublishFailure('UNAVAILABLE', `${PLACE} has published this post, but does not list it yet`);
}

const graphOf = (accessToken: string, tools: PlatformTools): Graph => ({
  place: PLACE,
  base: tools.config.instagramUrl,
  accessToken,
  tools,
});

type InstagramMedia = z.infer<typeof InstagramMedia>;

function isLike({ caption, isCarousel, parts }: InstagramMedia, content: Content): boolean {
  const { length } = content.mediaUrls;
  if (isCarousel !== length > 1 || !sameWords(caption, wordsWithLink(content))) return false;
  return !isCarousel || parts === undefined || parts === length;
}

/** Instagram represents an unpublished post as containers: one for each part of a carousel, and one for the post. */
interface Progress {
  parts: { url: string; id: string }[];
  container?: Container | undefined;
}
interface Container {
  id: string;
  /** A fingerprint of the content. Changed content needs another container. */
  madeOf: string;
}
type Save = (progress: Progress) => Promise<void>;
type Command = PublishCommand<{ userId: string }, Progress>;

function fingerprintOf(content: Content): string {
  const parts = JSON.stringify([wordsWithLink(content), content.mediaUrls]);
  return createHash('sha256').update(parts).digest('hex').slice(0, 32);
}

async function makeContainer(command: Command, graph: Graph, save: Save): Promise<Progress & { container: Container }> {
  const { content, credentials } = command;
  const path = `${credentials.userId}/media`;
  const caption = wordsWithLink(content);
  const [first, ...others] = content.mediaUrls;
  if (first === undefined) throw new PublishFailure('REFUSED', 'Instagram takes no post without a photo or video');
  const parts = others.length ? await makeParts(command, graph, save) : [];
  const body = others.length
    ? { media_type: 'CAROUSEL', children: parts.map(({ id }) => id).join(',') }
    : await sourceOf(first, 'REELS', graph.tools);
  const id = await makeUnseen(graph, { path, body: { ...body, ...(caption.trim() && { caption }) } });
  const progress = { parts, container: { id, madeOf: fingerprintOf(content) } };
  await save(progress);
  return progress;
}

async function makeParts({ content, credentials, progress }: Command, graph: Graph, save: Save) {
  const path = `${credentials.userId}/media`;
  const parts: Progress['parts'] = [];
  for (const [at, url] of content.mediaUrls.entries()) {
    const known = progress?.parts[at];
    if (known?.url === url && isAlive((await statusOf(graph, known.id)).status)) {
      parts.push(known);
      continue;
    }
    const body = { ...(await sourceOf(url, 'VIDEO', graph.tools)), is_carousel_item: true };
    parts.push({ url, id: await makeUnseen(graph, { path, body }) });
    await save({ parts });
  }
  for (const { id } of parts) await untilFinished(graph, id);
  return parts;
}

/** A single video is published as a reel. */
async function sourceOf(url: string, videoType: 'REELS' | 'VIDEO', tools: PlatformTools) {
  const kind = kindAt(url) ?? kindOf((await tools.media(url)).type);
  const address = asciiAddress(url);
  return kind === 'photo' ? { image_url: address } : { media_type: videoType, video_url: address };
}

function kindOf(type: string): 'photo' | 'video' {
  if (/^image\/jpe?g\b/i.test(type)) return 'photo';
  if (/^video\/(mp4|quicktime|x-m4v)\b/i.test(type)) return 'video';
  throw new PublishFailure('REFUSED', `Instagram takes JPEG photos, MP4 and MOV videos, but no ${type.slice(0, 50)}`);
}
