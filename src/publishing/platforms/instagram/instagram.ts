import { z } from 'zod';
import { definePlatform, type PlatformTools, PublishFailure } from '../../platform.js';
import { AccessToken, type Graph, GraphId, readGraph, show, shown } from '../graph/graph-api.js';
import { closestTo, listedSince } from '../graph/graph-listing.js';
import { checkForInstagram, INSTAGRAM_ACCEPTS } from './instagram-check.js';
import { alreadyPublished, isAlive, statusOf, untilFinished } from './instagram-containers.js';
import { InstagramMedia, isLike, MEDIA_FIELDS } from './instagram-media.js';
import { fingerprintOf, makeContainer, type Progress } from './instagram-upload.js';

const PLACE = 'Instagram';
const PAGE = '50';
/** What was published is listed some moments later. */
const LISTED_WITHIN_MS = 10 * 60_000;
/** It tells that a day's posts are used up, but not when the first of them is a day old. */
const ASK_AGAIN_MS = 15 * 60_000;

const Credentials = z.object({ userId: GraphId, accessToken: AccessToken });
type Credentials = z.infer<typeof Credentials>;

const Someone = z.object({ id: z.string(), username: z.string().nullish().catch(undefined) });
const Permalink = z.object({ permalink: z.string() });
/** What cannot be read sets no limit: the platform has the last word. */
const Amount = z.number().nullish().catch(undefined);
const Quota = z.object({
  data: z
    .array(z.object({ quota_usage: Amount, config: z.object({ quota_total: Amount }).nullish().catch(undefined) }))
    .catch([]),
});

/**
 * Posts of a professional account, over the Graph API: containers are made and waited for, then the post's container is
 * published. A container is published once: as long as it lives, a further try takes the same.
 */
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
    return { ...post, url: await addressOf(graph, post.postId) };
  },

  /**
   * Instagram keeps no key of ours, but tells of a container whether it was published. Which post it became is known by
   * its caption and number of media, among those of the account since the publication was first tried.
   */
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
    // Deleted since, or with another caption: it was published all the same, and this is all that is known of it.
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

/** Only a look at what is published already: a post without an address is published none the less. */
async function addressOf(graph: Graph, id: string): Promise<string | undefined> {
  const question = { path: id, params: { fields: 'permalink' }, timeouts: { total: 5_000, line: 5_000 } };
  try {
    return (await readGraph(graph, question, Permalink)).permalink;
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
