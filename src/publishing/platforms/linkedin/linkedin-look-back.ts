import { z } from 'zod';
import { type PlatformTools, type PublishCommand, type Published, PublishFailure } from '../../platform.js';
import { askLinkedin, type LinkedinCredentials, PLACE } from './linkedin-api.js';
import type { Progress } from './linkedin-images.js';
import { isAlike, type Likeness, Post, publishedAs, shownAt, timeIn } from './linkedin-post.js';

type Command = PublishCommand<LinkedinCredentials, Progress>;

/** By which our clock and LinkedIn's may differ. */
const CLOCK_MARGIN_MS = 2 * 60_000;
const PAGE = 100;
const MOST_PAGES = 20;

/** Undefined if nothing was ever sent. */
export function likenessOf({ content, progress, intendedAt, others }: Command): Likeness | undefined {
  if (!intendedAt) return undefined;
  const images = (progress?.images ?? []).map(({ urn }) => urn);
  return { content, images, others, since: new Date(intendedAt.getTime() - CLOCK_MARGIN_MS) };
}

const Page = z.object({ elements: z.array(z.unknown()) });

/**
 * Reads the author's posts, the last changed first, down to what LinkedIn cannot have taken from us. Pages' tokens may do
 * so; those of members seldom: then nobody knows.
 */
export async function findAlike(
  likeness: Likeness,
  credentials: LinkedinCredentials,
  tools: PlatformTools,
): Promise<Published | undefined> {
  const seen = new Set<string>();
  const found: Post[] = [];
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const posts = await pageOf(credentials, page * PAGE, tools);
    const fresh = posts.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    found.push(...fresh.filter((post) => isAlike(post, likeness)));
    const isOver = fresh.every((post) => (post.lastModifiedAt ?? shownAt(post)) < likeness.since.getTime());
    if (isOver) return firstOf(found);
  }
  if (found.length) return firstOf(found);
  throw new PublishFailure('UNAVAILABLE', `${PLACE} lists more posts since then than can be looked through`);
}

/** Of several alike, the one nearest to when ours was sent. */
function firstOf(posts: Post[]): Published | undefined {
  const [first] = posts.toSorted((a, b) => shownAt(a) - shownAt(b));
  return first && publishedAs(first.id);
}

async function pageOf(credentials: LinkedinCredentials, start: number, tools: PlatformTools): Promise<Post[]> {
  const author = encodeURIComponent(credentials.author);
  const path = `rest/posts?author=${author}&q=author&count=${PAGE}&start=${start}&sortBy=LAST_MODIFIED`;
  const headers = { 'x-restli-method': 'FINDER' };
  const page = await askLinkedin({ path, headers, credentials, answer: Page, unless: [400, 403] }, tools);
  if (!page) throw new PublishFailure('UNCERTAIN', `${PLACE} does not let this token read the author's posts`);
  return page.elements.flatMap((element) => Post.safeParse(element).data ?? []);
}

/**
 * LinkedIn refuses a post that repeats another, and names that one: it is ours if an earlier try came through though its
 * answer was lost. The name alone proves nothing: it may be that of an older post, or of one that was never shown.
 */
export async function theOneItRepeats(urn: string, command: Command, tools: PlatformTools): Promise<Published> {
  const likeness = likenessOf(command);
  if (!urn) throw new PublishFailure('UNCERTAIN', `${PLACE} says that this post is there already, but not which it is`);
  const refused = new PublishFailure('REFUSED', `${PLACE} has a post with this content already: ${urn}`);
  const since = likeness?.since.getTime();
  if (!likeness || since === undefined || (timeIn(urn) ?? since) < since) throw refused;
  const post = await readPost(urn, command.credentials, tools);
  if (post === 'unreadable') {
    const message = `${PLACE} says that this post is there already as ${urn}, and does not let this token look`;
    throw new PublishFailure('UNCERTAIN', message);
  }
  if (post === 'missing') {
    throw new PublishFailure('REFUSED', `${PLACE} takes this for a repetition of ${urn}, which is not there`);
  }
  if (!isAlike(post, likeness)) throw refused;
  return publishedAs(post.id);
}

/** Whatever goes wrong here leaves open whether an earlier try came through. */
async function readPost(
  urn: string,
  credentials: LinkedinCredentials,
  tools: PlatformTools,
): Promise<Post | 'missing' | 'unreadable'> {
  const path = `rest/posts/${encodeURIComponent(urn)}`;
  try {
    return (await askLinkedin({ path, credentials, answer: Post, unless: [404] }, tools)) ?? 'missing';
  } catch (error) {
    if (error instanceof PublishFailure) return 'unreadable';
    throw error;
  }
}
