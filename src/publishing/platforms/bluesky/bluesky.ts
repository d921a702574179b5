import { z } from 'zod';
import { type Content, type ContentProblem, definePlatform, type Published } from '../../platform.js';
import { ask, readAnswer, sendOnce } from '../call-platform.js';
import { countGraphemes } from '../count-graphemes.js';
import { toldLimit } from '../told-limit.js';
import {
  BlueskyCredentials,
  bearer,
  type BlueskyCredentials as Credentials,
  errorOf,
  method,
  PLACE,
  refusal,
  type Session,
  sessionOf,
} from './bluesky-api.js';
import { type Progress, prepare } from './bluesky-preparation.js';
import { COLLECTION, newRecord, recordKey, textOf } from './bluesky-record.js';
import { renewSession, signIn } from './bluesky-session.js';

const LONGEST_TEXT = { graphemes: 300, bytes: 3_000 };
const MOST_PICTURES = 4;
/** Of the points that an account may spend in an hour and in a day. */
const POINTS_A_POST = 2;

const Written = z.object({ uri: z.string().startsWith('at://') });

/** Posts of an account on Bluesky, or on any other server of the AT protocol. */
export const bluesky = definePlatform<Credentials, Progress>({
  name: 'bluesky',
  label: PLACE,
  credentials: BlueskyCredentials,
  // A server limits each account by itself and tells it with every answer.
  workers: 3,
  accepts: {
    text: { most: LONGEST_TEXT.graphemes, unit: 'characters' },
    media: { least: 0, most: MOST_PICTURES, kinds: ['image'] },
  },
  check,

  async whose(credentials, tools) {
    const { did, handle } = await signIn(credentials, tools);
    return { id: did, name: handle };
  },

  refresh: renewSession,
  prepare,

  async publish({ content, credentials, key, intendedAt, progress = { images: [], dids: {} } }, tools) {
    const session = sessionOf(credentials);
    const rkey = recordKey(key);
    const record = newRecord(content, progress, intendedAt ?? tools.now());
    const call = {
      headers: { ...bearer(session.accessJwt), 'content-type': 'application/json' },
      // `swapRecord: null`: only if there is no such record.
      body: JSON.stringify({ repo: session.did, collection: COLLECTION, rkey, record, swapRecord: null }),
    };
    const response = await sendOnce(method(session.pds, 'com.atproto.repo.putRecord'), call, tools);
    const now = tools.now();
    const isThere = response.status === 400 && errorOf(response) === 'InvalidSwap';
    if (!isThere && response.status !== 200) throw refusal(response, { credentials, effect: 'shows', now });
    if (!isThere) await readAnswer(response, Written, { place: PLACE, effect: 'shows' });
    const points = Number(response.headers['ratelimit-remaining'] || Number.NaN);
    const left = String(Math.floor(points / POINTS_A_POST));
    const told = toldLimit(left, response.headers['ratelimit-reset'], now);
    return { ...publishedAs(session, rkey), ...(told && { told }) };
  },

  // The record key follows from ours, and a repository has one record under a key, for ever: a repeat is refused or
  // changes nothing. Only who deleted the post meanwhile would see it again, which a year more does not make likelier.
  knowsKeysForMs: 365 * 24 * 3_600_000,

  findsWithoutProgress: true,

  /** By the record key, which nothing else in the repository can have. */
  async find({ credentials, key }, tools) {
    const session = sessionOf(credentials);
    const rkey = recordKey(key);
    const url = method(session.pds, 'com.atproto.repo.getRecord');
    const query = { repo: session.did, collection: COLLECTION, rkey };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const response = await ask(url, { headers: bearer(session.accessJwt) }, tools);
    if (response.status === 400 && errorOf(response) === 'RecordNotFound') return undefined;
    if (response.status !== 200) throw refusal(response, { credentials, effect: 'harmless', now: tools.now() });
    await readAnswer(response, Written, { place: PLACE, effect: 'harmless' });
    return publishedAs(session, rkey);
  },
});

function publishedAs({ did, handle }: Session, rkey: string): Published {
  const profile = handle === 'handle.invalid' ? did : handle;
  return { postId: `at://${did}/${COLLECTION}/${rkey}`, url: `https://bsky.app/profile/${profile}/post/${rkey}` };
}

function check(content: Content): ContentProblem[] {
  const { mediaUrls, link } = content;
  const text = textOf(content);
  const problems: ContentProblem[] = [];
  const what = text.length > content.text.length ? 'text and link are' : 'text is';
  const tooMuch = (path: string, message: string) =>
    problems.push({ path, message: `${message} more than ${PLACE} takes` });
  if (!text && !mediaUrls.length && link === undefined) {
    problems.push({ path: 'text', message: `${PLACE} takes no post without a text, a link or a picture` });
  }
  const graphemes = countGraphemes(text);
  const bytes = Buffer.byteLength(text);
  if (graphemes > LONGEST_TEXT.graphemes) {
    tooMuch('text', `${what} ${graphemes} characters, ${graphemes - LONGEST_TEXT.graphemes}`);
  } else if (bytes > LONGEST_TEXT.bytes) tooMuch('text', `${what} ${bytes} bytes, ${bytes - LONGEST_TEXT.bytes}`);
  const over = mediaUrls.length - MOST_PICTURES;
  if (over > 0) tooMuch('mediaUrls', `${mediaUrls.length} pictures are ${over}`);
  return problems;
}
