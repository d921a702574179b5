import { z } from 'zod';
import {
  type Content,
  type ContentProblem,
  definePlatform,
  type MediaFile,
  type PlatformTools,
  type PublishCommand,
  type Published,
  PublishFailure,
} from '../../platform.js';
import { announcedLimit } from '../announced-limit.js';
import { ask, readAnswer, sendOnce } from '../call-platform.js';
import { countGraphemes } from '../count-graphemes.js';
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
import { handlesIn } from './bluesky-facets.js';
import { Blob, COLLECTION, newRecord, type Prepared, recordKey, textOf } from './bluesky-record.js';
import { renewSession, signIn } from './bluesky-session.js';

const MAX_BYTES = 2_000_000;

const UPLOAD_TIMEOUTS = { headers: 60_000, total: 120_000 };

/** Bluesky removes unused uploads after some time, "eg, minutes". The same bytes result in the same blob again. */
const KEPT_FOR_MS = 5 * 60_000;

const Uploaded = z.object({ blob: Blob });

const Resolved = z.object({ did: z.string().startsWith('did:') });

const MAX_TEXT_LENGTH = { graphemes: 300, bytes: 3_000 };
const MAX_PICTURES = 4;
/** The cost of a post in points, of which an account has a budget per hour and per day. */
const POINTS_A_POST = 2;

const Written = z.object({ uri: z.string().startsWith('at://') });

export const bluesky = definePlatform<Credentials, Progress>({
  name: 'bluesky',
  label: PLACE,
  credentials: BlueskyCredentials,
  // There is no limit here, because servers limit each account and announce it with every answer.
  workers: 3,
  accepts: {
    text: { most: MAX_TEXT_LENGTH.graphemes, unit: 'characters' },
    media: { least: 0, most: MAX_PICTURES, kinds: ['image'] },
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
      // `swapRecord: null` writes only if the record does not exist.
      body: JSON.stringify({ repo: session.did, collection: COLLECTION, rkey, record, swapRecord: null }),
    };
    const response = await sendOnce(method(session.pds, 'com.atproto.repo.putRecord'), call, tools);
    const now = tools.now();
    const isThere = response.status === 400 && errorOf(response) === 'InvalidSwap';
    if (!isThere && response.status !== 200) throw refusal(response, { credentials, effect: 'shows', now });
    if (!isThere) await readAnswer(response, Written, { place: PLACE, effect: 'shows' });
    const points = Number(response.headers['ratelimit-remaining'] || Number.NaN);
    const left = String(Math.floor(points / POINTS_A_POST));
    const announced = announcedLimit(left, response.headers['ratelimit-reset'], now);
    return { ...publishedAs(session, rkey), ...(announced && { announced }) };
  },

  // The record key is derived from ours, and a repository keeps one record per key, so a repeat is refused or changes
  // nothing. Only a post that was deleted meanwhile would reappear, which a longer time does not make more likely.
  knowsKeysForMs: 365 * 24 * 3_600_000,

  findsWithoutProgress: true,

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
  if (graphemes > MAX_TEXT_LENGTH.graphemes) {
    tooMuch('text', `${what} ${graphemes} characters, ${graphemes - MAX_TEXT_LENGTH.graphemes}`);
  } else if (bytes > MAX_TEXT_LENGTH.bytes) tooMuch('text', `${what} ${bytes} bytes, ${bytes - MAX_TEXT_LENGTH.bytes}`);
  const over = mediaUrls.length - MAX_PICTURES;
  if (over > 0) tooMuch('mediaUrls', `${mediaUrls.length} pictures are ${over}`);
  return problems;
}

interface Progress extends Prepared {
  images: { url: string; blob: Blob; uploadedAt: string }[];
}

async function prepare(
  { content, credentials, progress }: PublishCommand<BlueskyCredentials, Progress>,
  tools: PlatformTools,
  save: (progress: Progress) => Promise<void>,
): Promise<Progress> {
  let prepared: Progress = { images: [], dids: await resolve(handlesIn(textOf(content)), credentials, tools) };
  for (const [at, url] of content.mediaUrls.entries()) {
    const known = progress?.images[at];
    const isThere = known?.url === url && tools.now().getTime() - Date.parse(known.uploadedAt) < KEPT_FOR_MS;
    const image = isThere ? known : await upload(url, credentials, tools);
    prepared = { ...prepared, images: [...prepared.images, image] };
    if (!isThere) await save(prepared);
  }
  return prepared;
}

async function upload(url: string, credentials: BlueskyCredentials, tools: PlatformTools) {
  const { pds, accessJwt } = sessionOf(credentials);
  const { bytes, type } = checked(await tools.media(url));
  const headers = { ...bearer(accessJwt), 'content-type': type };
  const call = { method: 'POST' as const, headers, body: bytes, timeouts: UPLOAD_TIMEOUTS };
  const uploadedAt = tools.now();
  const response = await ask(method(pds, 'com.atproto.repo.uploadBlob'), call, tools);
  if (response.status !== 200) throw refusal(response, { credentials, effect: 'harmless', now: tools.now() });
  const { blob } = await readAnswer(response, Uploaded, { place: PLACE, effect: 'harmless' });
  return { url, blob, uploadedAt: uploadedAt.toISOString() };
}

function checked(file: MediaFile): MediaFile {
  const { bytes, type, name } = file;
  const over = bytes.byteLength - MAX_BYTES;
  if (!type.startsWith('image/')) throw new PublishFailure('REFUSED', `${PLACE} takes pictures; ${name} is ${type}`);
  if (over <= 0) return file;
  const message = `${PLACE} takes pictures of ${MAX_BYTES} bytes; ${name} has ${bytes.byteLength}, ${over} more`;
  throw new PublishFailure('REFUSED', message);
}

/** A handle that does not exist stays plain text. */
async function resolve(handles: string[], credentials: BlueskyCredentials, tools: PlatformTools) {
  const { pds, accessJwt } = sessionOf(credentials);
  const dids: Record<string, string> = {};
  for (const handle of handles) {
    const url = method(pds, 'com.atproto.identity.resolveHandle');
    url.searchParams.set('handle', handle);
    const response = await ask(url, { headers: bearer(accessJwt) }, tools);
    if (response.status === 200) {
      dids[handle] = (await readAnswer(response, Resolved, { place: PLACE, effect: 'harmless' })).did;
      continue;
    }
    const failure = refusal(response, { credentials, effect: 'harmless', now: tools.now() });
    if (failure.code !== 'REFUSED') throw failure;
  }
  return dids;
}
