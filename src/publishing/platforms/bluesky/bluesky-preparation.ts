import { z } from 'zod';
import { type MediaFile, type PlatformTools, type PublishCommand, PublishFailure } from '../../platform.js';
import { ask, readAnswer } from '../call-platform.js';
import { type BlueskyCredentials, bearer, method, PLACE, refusal, sessionOf } from './bluesky-api.js';
import { handlesIn } from './bluesky-facets.js';
import { Blob, type Prepared, textOf } from './bluesky-record.js';

export interface Progress extends Prepared {
  images: { url: string; blob: Blob; uploadedAt: string }[];
}

const MOST_BYTES = 2_000_000;
const UPLOAD_TIMEOUTS = { headers: 60_000, total: 120_000 };
/** Uploads that no post names are removed after some time, "eg, minutes". The same bytes make the same blob again. */
const KEPT_FOR_MS = 5 * 60_000;

const Uploaded = z.object({ blob: Blob });
const Resolved = z.object({ did: z.string().startsWith('did:') });

/** Finds out whom the text mentions, and uploads the pictures that no earlier try has. */
export async function prepare(
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
  const over = bytes.byteLength - MOST_BYTES;
  if (!type.startsWith('image/')) throw new PublishFailure('REFUSED', `${PLACE} takes pictures; ${name} is ${type}`);
  if (over <= 0) return file;
  const message = `${PLACE} takes pictures of ${MOST_BYTES} bytes; ${name} has ${bytes.byteLength}, ${over} more`;
  throw new PublishFailure('REFUSED', message);
}

/** A handle that nobody has stays plain text. */
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
