import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canParseUrl } from '../../../platform/can-parse-url.js';
import { hostOf } from '../../../platform/hosts/host-of.js';
import type { HttpResponse } from '../../../platform/http/http-response.js';
import { joinUrl } from '../../../platform/http/web-address.js';
import { type Content, type MediaFile, PublishFailure } from '../../platform.js';
import { ask, readAnswer, sendOnce } from '../call-platform.js';
import { wordsWithLink } from '../post-words.js';
import { bearer, PLACE, refusal, Video, type Youtube } from './youtube-api.js';

/** The address accepts the bytes of one video and creates that video exactly once. */
export const Upload = z.object({
  session: z.url(),
  size: z.number().int().positive(),
  of: z.string(),
});
export type Upload = z.infer<typeof Upload>;

/** Undefined if YouTube no longer knows the upload. */
type UploadProgress = { received: number } | { video: Video } | undefined;

/** The size of each piece but the last must be a multiple of this many bytes. */
const UNIT = 256 * 1024;
const MAX_PIECE = 32 * UNIT;
const PIECE_TIMEOUTS = { headers: 120_000, total: 600_000 };

const metadataOf = (content: Content) => ({
  snippet: { title: content.title?.trim() ?? '', description: wordsWithLink(content) },
  status: { privacyStatus: 'public' },
});

export function hashOf(content: Content, { bytes, type }: MediaFile): string {
  return createHash('sha256')
    .update(JSON.stringify([metadataOf(content), type]))
    .update(bytes)
    .digest('hex');
}

export async function beginUpload(content: Content, file: MediaFile, youtube: Youtube): Promise<Upload> {
  const { tools } = youtube;
  const headers = {
    ...bearer(youtube),
    'content-type': 'application/json; charset=UTF-8',
    'x-upload-content-length': String(file.bytes.length),
    'x-upload-content-type': file.type,
  };
  const address = joinUrl(
    tools.config.youtubeApiUrl,
    'upload/youtube/v3/videos?uploadType=resumable&part=snippet,status',
  );
  const response = await ask(address, { method: 'POST', headers, body: JSON.stringify(metadataOf(content)) }, tools);
  if (response.status !== 200) throw refusal(response, 'harmless', youtube);
  const { location = '' } = response.headers;
  if (!canParseUrl(location)) throw new PublishFailure('UNAVAILABLE', `${PLACE} did not say where to upload to`);
  return { session: location, size: file.bytes.length, of: hashOf(content, file) };
}

export async function progressOf({ session, size }: Upload, youtube: Youtube): Promise<UploadProgress> {
  const headers = { ...headersFor(session, youtube), 'content-range': `bytes */${size}` };
  const response = await ask(new URL(session), { method: 'PUT', headers }, youtube.tools);
  return readProgress(response, youtube);
}

/** Without the last piece no video is created. */
export async function uploadBody(upload: Upload, received: number, from: { file: MediaFile; youtube: Youtube }) {
  const { file, youtube } = from;
  let at = received;
  while (upload.size - at > UNIT) {
    const length = Math.min(Math.floor((upload.size - at - 1) / UNIT) * UNIT, MAX_PIECE);
    const response = await ask(new URL(upload.session), pieceOf(upload, { file, at, length }, youtube), youtube.tools);
    const progress = await readProgress(response, youtube);
    const isFurther = progress && 'received' in progress && progress.received > at;
    if (!isFurther) throw new PublishFailure('UNAVAILABLE', `${PLACE} does not take any more of the video`);
    at = progress.received;
  }
}

/** The last byte creates the video. */
export async function completeUpload(
  upload: Upload,
  received: number,
  { file, youtube }: { file: MediaFile; youtube: Youtube },
): Promise<Video> {
  const rest = { file, at: received, length: upload.size - received };
  const response = await sendOnce(new URL(upload.session), pieceOf(upload, rest, youtube), youtube.tools);
  if (isMade(response)) return readAnswer(response, Video, { place: PLACE, effect: 'shows' });
  if (isUnfinished(response)) throw new PublishFailure('UNAVAILABLE', `${PLACE} has not received all of the video`);
  // The reconciliation finds out what became of the session.
  if (isGone(response)) throw new PublishFailure('UNCERTAIN', `${PLACE} does not know the upload any more`);
  throw refusal(response, 'shows', youtube);
}

interface Piece {
  file: MediaFile;
  at: number;
  length: number;
}

function pieceOf({ session, size }: Upload, { file, at, length }: Piece, youtube: Youtube) {
  const range = { 'content-type': file.type, 'content-range': `bytes ${at}-${at + length - 1}/${size}` };
  const body = file.bytes.subarray(at, at + length);
  return {
    method: 'PUT' as const,
    headers: { ...headersFor(session, youtube), ...range },
    body,
    timeouts: PIECE_TIMEOUTS,
  };
}

/** The token is sent to Google's own host only; the upload address works without it. */
function headersFor(session: string, youtube: Youtube): Record<string, string> {
  const isGoogle = hostOf(new URL(session)) === hostOf(new URL(youtube.tools.config.youtubeApiUrl));
  return isGoogle ? bearer(youtube) : {};
}

async function readProgress(response: HttpResponse, youtube: Youtube): Promise<UploadProgress> {
  if (isMade(response)) return { video: await readAnswer(response, Video, { place: PLACE, effect: 'harmless' }) };
  if (isGone(response)) return undefined;
  if (!isUnfinished(response)) throw refusal(response, 'harmless', youtube);
  const last = /^bytes=0-(\d{1,15})$/.exec(response.headers.range ?? '')?.[1];
  return { received: last === undefined ? 0 : Number(last) + 1 };
}

const isMade = ({ status }: HttpResponse) => status === 200 || status === 201;
const isUnfinished = ({ status }: HttpResponse) => status === 308;
const isGone = ({ status }: HttpResponse) => status === 404 || status === 410;
