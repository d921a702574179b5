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

/** Our clock and LinkedIn's may differ by this much (ms). */
const CLOCK_MARGIN_MS = 2 * 60_000;

const PAGE = 100;

const MAX_PAGES = 20;

const Page = z.object({ elements: z.array(z.unknown()) });

const MAX_TEXT_LENGTH = 3_000;
const MAX_IMAGES = 20;

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
    // Only tokens that may post as this author get an upload; profiles are often not readable with such tokens.
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

/** LinkedIn counts UTF-16 units. */
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

/** Returns undefined if the token may post but not read. */
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

function likenessOf({ content, progress, intendedAt, others }: Command): Likeness | undefined {
  if (!intendedAt) return undefined;
  const images = (progress?.images ?? []).map(({ urn }) => urn);
  return { content, images, others, since: new Date(intendedAt.getTime() - CLOCK_MARGIN_MS) };
}

/** Tokens of members may rarely list posts. Without that right the outcome stays unknown. */
async function findAlike(
  likeness: Likeness,
  credentials: LinkedinCredentials,
  tools: PlatformTools,
): Promise<Published | undefined> {
  const seen = new Set<string>();
  const found: Post[] = [];
  let isReadable = true;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const elements = await pageOf(credentials, page * PAGE, tools);
    const posts = elements.flatMap((element) => Post.safeParse(element).data ?? []);
    isReadable &&= posts.length === elements.length;
    const fresh = posts.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    found.push(...fresh.filter((post) => isAlike(post, likeness)));
    const isOver = fresh.every((post) => (post.lastModifiedAt ?? shownAt(post)) < likeness.since.getTime());
    if (isOver && (found.length || isReadable)) return firstOf(found);
    // A post that cannot be read may be this one, so a repeat could publish it twice.
    if (isOver) throw new PublishFailure('UNAVAILABLE', `${PLACE} lists posts that cannot be read`);
  }
  if (found.length) return firstOf(found);
  throw new PublishFailure('UNAVAILABLE', `${PLACE} lists more posts since then than can be looked through`);
}

/** Returns the earliest of equal posts, which is the closest to the first call. */
function firstOf(posts: Post[]): Published | undefined {
  const [first] = posts.toSorted((a, b) => shownAt(a) - shownAt(b));
  return first && publishedAs(first.id);
}

async function pageOf(credentials: LinkedinCredentials, start: number, tools: PlatformTools): Promise<unknown[]> {
  const author = encodeURIComponent(credentials.author);
  const path = `rest/posts?author=${author}&q=author&count=${PAGE}&start=${start}&sortBy=LAST_MODIFIED`;
  const headers = { 'x-restli-method': 'FINDER' };
  const page = await askLinkedin({ path, headers, credentials, answer: Page, unless: [400, 403] }, tools);
  if (!page) throw new PublishFailure('UNCERTAIN', `${PLACE} does not let this token read the author's posts`);
  return page.elements;
}

/** The post that LinkedIn names may be an older one or one that was never shown, so the name alone proves nothing. */
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

/** A failure here leaves it open whether an earlier attempt succeeded. */
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
