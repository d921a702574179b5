import { z } from 'zod';
import { joinUrl } from '../../../platform/http/web-address.js';
import {
  type Content,
  type ContentProblem,
  definePlatform,
  type PlatformTools,
  type PublishCommand,
  type Published,
  PublishFailure,
} from '../../platform.js';
import { sendOnce } from '../call-platform.js';
import { mediaAt } from '../media-address.js';
import {
  askLinkedin,
  type LinkedinCredentials as Credentials,
  duplicateOf,
  headersFor,
  LinkedinCredentials,
  PLACE,
  refusal,
} from './linkedin-api.js';
import { newUpload, type Progress, uploadImages } from './linkedin-images.js';
import { isAlike, type Likeness, newPost, Post, publishedAs, shownAt, textOf, timeIn } from './linkedin-post.js';

/** By which our clock and LinkedIn's may differ. */
const CLOCK_MARGIN_MS = 2 * 60_000;

const PAGE = 100;

const MAX_PAGES = 20;

const Page = z.object({ elements: z.array(z.unknown()) });

const MAX_TEXT_LENGTH = 3_000;
const MAX_IMAGES = 20;

/** Posts of a member or an organisation through the Posts API: a text, with pictures or with a link. */
export const linkedin = definePlatform<Credentials, Progress>({
  name: 'linkedin',
  label: 'LinkedIn',
  credentials: LinkedinCredentials,
  limit: { most: 20, windowMs: 24 * 3_600_000 },
  workers: 1,
  accepts: {
    text: { most: MAX_TEXT_LENGTH, unit: 'characters' },
    media: { least: 0, most: MAX_IMAGES, kinds: ['image'] },
  },
  check,

  async whose(credentials, tools) {
    // What only those get who may post as this author; profiles are often closed to such tokens.
    await newUpload(credentials, tools);
    return { id: credentials.author, name: (await nameOf(credentials, tools)) ?? credentials.author };
  },

  prepare: (command, tools, save) => uploadImages(command, tools, save),

  async publish(command, tools) {
    const { content, credentials, progress } = command;
    const images = (progress?.images ?? []).map(({ urn }) => urn);
    const response = await sendOnce(
      joinUrl(tools.config.linkedinUrl, 'rest/posts'),
      {
        headers: headersFor(credentials, { 'content-type': 'application/json' }),
        body: JSON.stringify(newPost(content, credentials.author, images)),
      },
      tools,
    );
    const original = duplicateOf(response);
    if (original !== undefined) return theOneItRepeats(original, command, tools);
    if (response.status !== 201) throw refusal(response, { credentials, effect: 'shows', now: tools.now() });
    const id = response.headers['x-restli-id'];
    if (!id) throw new PublishFailure('UNCERTAIN', `${PLACE} took the post and did not say its id`);
    return publishedAs(id);
  },

  async find(command, tools) {
    const likeness = likenessOf(command);
    return likeness && findAlike(likeness, command.credentials, tools);
  },
});

/** Characters as LinkedIn's own counter counts them: UTF-16 units. */
function check(content: Content): ContentProblem[] {
  const { length } = textOf(content);
  const { mediaUrls, text, link } = content;
  const problems = mediaUrls.flatMap((url, at): ContentProblem[] => {
    const { kind, ending } = mediaAt(url);
    const isPicture = kind === undefined || kind === 'photo';
    return isPicture ? [] : [{ path: `mediaUrls.${at}`, message: `${PLACE} takes pictures here; this is .${ending}` }];
  });
  if (!text.trim() && !mediaUrls.length && !link) {
    problems.push({ path: 'text', message: `${PLACE} takes no post without a text, a link or a picture` });
  }
  if (length > MAX_TEXT_LENGTH) {
    const what = length === text.length ? 'text is' : 'text and link are';
    const message = `${what} ${length} characters, ${length - MAX_TEXT_LENGTH} more than ${PLACE} takes`;
    problems.push({ path: 'text', message });
  }
  if (mediaUrls.length > MAX_IMAGES) {
    const message = `${mediaUrls.length} pictures are ${mediaUrls.length - MAX_IMAGES} more than ${PLACE} takes`;
    problems.push({ path: 'mediaUrls', message });
  }
  return problems;
}

const Member = z.object({ name: z.string().nullish().catch(undefined) });
const Organization = z.object({ localizedName: z.string().nullish().catch(undefined) });

/** Undefined where the token may post and not read. */
async function nameOf(credentials: Credentials, tools: PlatformTools): Promise<string | undefined> {
  const unless = [403, 404];
  const id = credentials.author.split(':').at(-1);
  if (credentials.author.startsWith('urn:li:person:')) {
    const member = await askLinkedin({ path: 'v2/userinfo', credentials, answer: Member, unless }, tools);
    return member?.name || undefined;
  }
  const path = `rest/organizations/${id}`;
  const organization = await askLinkedin({ path, credentials, answer: Organization, unless }, tools);
  return organization?.localizedName || undefined;
}

type Command = PublishCommand<LinkedinCredentials, Progress>;

/** Undefined if nothing was ever sent. */
function likenessOf({ content, progress, intendedAt, others }: Command): Likeness | undefined {
  if (!intendedAt) return undefined;
  const images = (progress?.images ?? []).map(({ urn }) => urn);
  return { content, images, others, since: new Date(intendedAt.getTime() - CLOCK_MARGIN_MS) };
}

/**
 * Reads the author's posts, the last changed first, down to what LinkedIn cannot have taken from us. Pages' tokens may do
 * so; those of members seldom: then nobody knows.
 */
async function findAlike(
  likeness: Likeness,
  credentials: LinkedinCredentials,
  tools: PlatformTools,
): Promise<Published | undefined> {
  const seen = new Set<string>();
  const found: Post[] = [];
  for (let page = 0; page < MAX_PAGES; page += 1) {
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
async function theOneItRepeats(urn: string, command: Command, tools: PlatformTools): Promise<Published> {
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
