import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type MediaFile, type PlatformTools, type PublishCommand, PublishFailure } from '../../platform.js';
import { ask, readAnswer } from '../call-platform.js';
import { at, bearer, Id, type MastodonCredentials, PLACE, refusal } from './mastodon-api.js';

export interface Progress {
  media: { url: string; id: string }[];
}

const MAX_BYTES: Record<string, number> = { image: 16 * 1024 ** 2, video: 99 * 1024 ** 2, audio: 99 * 1024 ** 2 };
const UPLOAD_TIMEOUTS = { headers: 60_000, total: 180_000 };
const MAX_LOOKUPS = 60;
const BETWEEN_LOOKS_MS = 1_000;

const Attachment = z.object({ id: Id });

export async function uploadMedia(
  { content, credentials, progress }: PublishCommand<MastodonCredentials, Progress>,
  tools: PlatformTools,
  save: (progress: Progress) => Promise<void>,
): Promise<Progress> {
  const several = content.mediaUrls.length > 1;
  let media: Progress['media'] = [];
  const unready: string[] = [];
  for (const [place, url] of content.mediaUrls.entries()) {
    const known = progress?.media[place];
    // Mastodon removes unused uploads after some time.
    const state = known?.url === url ? await stateOf(known.id, credentials, tools) : 'gone';
    const file =
      known && state !== 'gone'
        ? { id: known.id, state }
        : await upload(checked(await tools.media(url), several), credentials, tools);
    media = [...media, { url, id: file.id }];
    if (file.id !== known?.id) await save({ media });
    if (file.state === 'not yet') unready.push(file.id);
  }
  for (const id of unready) await untilReady(id, credentials, tools);
  return { media };
}

function checked(file: MediaFile, several: boolean): MediaFile {
  const { bytes, type, name } = file;
  const [kind = ''] = type.split('/');
  const most = MAX_BYTES[kind];
  if (most === undefined) throw refused(`takes pictures, videos and sound; ${name} is ${type}`);
  if (several && kind !== 'image') throw refused(`takes a video or sound only alone; ${name} is ${type}`);
  const over = bytes.byteLength - most;
  if (over > 0) throw refused(`takes no more than ${most} bytes; ${name} has ${bytes.byteLength}, ${over} more`);
  return file;
}

const refused = (message: string) => new PublishFailure('REFUSED', `${PLACE} ${message}`);

type State = 'ready' | 'not yet' | 'gone';

async function upload(file: MediaFile, credentials: MastodonCredentials, tools: PlatformTools) {
  const { type, body } = multipart('file', file);
  const headers = { ...bearer(credentials), 'content-type': type };
  const call = { method: 'POST' as const, headers, body, timeouts: UPLOAD_TIMEOUTS };
  const response = await ask(at(credentials, 'api/v2/media'), call, tools);
  if (response.status !== 200 && response.status !== 202) {
    throw refusal(response, { credentials, effect: 'harmless', now: tools.now() });
  }
  const { id } = await readAnswer(response, Attachment, { place: PLACE, effect: 'harmless' });
  return { id, state: response.status === 200 ? ('ready' as const) : ('not yet' as const) };
}

/** Mastodon takes a while to process videos and refuses posts with them until then. */
async function untilReady(id: string, credentials: MastodonCredentials, tools: PlatformTools): Promise<void> {
  for (let look = 0; look < MAX_LOOKUPS; look += 1) {
    if ((await stateOf(id, credentials, tools)) !== 'not yet') return;
    await tools.pause(BETWEEN_LOOKS_MS);
  }
  throw new PublishFailure('UNAVAILABLE', `${PLACE} has not made a file ready in ${MAX_LOOKUPS} s`);
}

async function stateOf(id: string, credentials: MastodonCredentials, tools: PlatformTools): Promise<State> {
  const path = `api/v1/media/${encodeURIComponent(id)}`;
  const response = await ask(at(credentials, path), { headers: bearer(credentials) }, tools);
  if (response.status === 200) return 'ready';
  if (response.status === 206) return 'not yet';
  // Mastodon also answers 404 if a post uses the file already, after an attempt with an unknown outcome.
  if (response.status === 404) return 'gone';
  throw refusal(response, { credentials, effect: 'harmless', now: tools.now() });
}

function multipart(field: string, { bytes, type, name }: MediaFile): { type: string; body: Uint8Array } {
  const boundary = `millrace-${randomBytes(16).toString('hex')}`;
  const head = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="${field}"; filename="${quotable(name)}"`,
    `Content-Type: ${quotable(type)}`,
    '\r\n',
  ].join('\r\n');
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}

/** Names come from addresses and headers of other servers. */
const quotable = (text: string) => text.toWellFormed().replace(/[\p{Cc}"\\]/gu, '_');
