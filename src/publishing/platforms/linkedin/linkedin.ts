import { z } from 'zod';
import { under } from '../../../platform/http/under.js';
import {
  type Content,
  type ContentProblem,
  definePlatform,
  type PlatformTools,
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
import { findAlike, likenessOf, theOneItRepeats } from './linkedin-look-back.js';
import { newPost, publishedAs, textOf } from './linkedin-post.js';

const LONGEST_TEXT = 3_000;
const MOST_IMAGES = 20;

/** Posts of a member or an organisation through the Posts API: a text, with pictures or with a link. */
export const linkedin = definePlatform<Credentials, Progress>({
  name: 'linkedin',
  label: 'LinkedIn',
  credentials: LinkedinCredentials,
  limit: { most: 20, windowMs: 24 * 3_600_000 },
  workers: 1,
  accepts: {
    text: { most: LONGEST_TEXT, unit: 'characters' },
    media: { least: 0, most: MOST_IMAGES, kinds: ['image'] },
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
      under(tools.config.linkedinUrl, 'rest/posts'),
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
  if (length > LONGEST_TEXT) {
    const what = length === text.length ? 'text is' : 'text and link are';
    const message = `${what} ${length} characters, ${length - LONGEST_TEXT} more than ${PLACE} takes`;
    problems.push({ path: 'text', message });
  }
  if (mediaUrls.length > MOST_IMAGES) {
    const message = `${mediaUrls.length} pictures are ${mediaUrls.length - MOST_IMAGES} more than ${PLACE} takes`;
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
