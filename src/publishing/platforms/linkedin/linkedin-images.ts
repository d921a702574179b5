import { z } from 'zod';
import { hostOf } from '../../../platform/hosts/host-of.js';
import { type PlatformTools, type PublishCommand, PublishFailure } from '../../platform.js';
import { ask } from '../call-platform.js';
import { askLinkedin, headersFor, type LinkedinCredentials, PLACE, refusal } from './linkedin-api.js';

export const Progress = z.object({ images: z.array(z.object({ url: z.string(), urn: z.string() })) });
export type Progress = z.infer<typeof Progress>;

const TYPES = ['image/jpeg', 'image/png', 'image/gif'];
const UPLOAD_TIMEOUTS = { headers: 60_000, total: 120_000 };
const MAX_LOOKUPS = 30;
const BETWEEN_LOOKS_MS = 1_000;

const Upload = z.object({ value: z.object({ uploadUrl: z.url(), image: z.string().startsWith('urn:li:image:') }) });
type Upload = z.infer<typeof Upload>['value'];

/** The upload stays invisible until it is posted. Only tokens that may post as the author get one. */
export async function newUpload(credentials: LinkedinCredentials, tools: PlatformTools): Promise<Upload> {
  const body = { initializeUploadRequest: { owner: credentials.author } };
  const answer = await askLinkedin(
    { path: 'rest/images?action=initializeUpload', body, credentials, answer: Upload },
    tools,
  );
  if (!answer) throw new PublishFailure('UNAVAILABLE', `${PLACE} gave no place for an upload`);
  return answer.value;
}

export async function uploadImages(
  { content, credentials, progress }: PublishCommand<LinkedinCredentials, Progress>,
  tools: PlatformTools,
  save: (progress: Progress) => Promise<void>,
): Promise<Progress> {
  let images: Progress['images'] = [];
  for (const [at, url] of content.mediaUrls.entries()) {
    const known = progress?.images[at];
    const isKnown = known?.url === url;
    images = [...images, isKnown ? known : { url, urn: await uploadImage(url, credentials, tools) }];
    if (!isKnown) await save({ images });
  }
  for (const { urn } of images) await untilAvailable(urn, credentials, tools);
  return { images };
}

async function uploadImage(url: string, credentials: LinkedinCredentials, tools: PlatformTools): Promise<string> {
  const { bytes, type, name } = await tools.media(url);
  if (!TYPES.includes(type))
    throw new PublishFailure('REFUSED', `${PLACE} takes JPEG, PNG and GIF; ${name} is ${type}`);
  const { uploadUrl, image } = await newUpload(credentials, tools);
  const address = new URL(uploadUrl);
  // The token is sent to LinkedIn's own host only, wherever the answer points.
  const isLinkedin = hostOf(address) === hostOf(new URL(tools.config.linkedinUrl));
  const { authorization } = headersFor(credentials);
  const headers = { 'content-type': type, ...(isLinkedin && { authorization }) };
  const response = await ask(address, { method: 'PUT', headers, body: bytes, timeouts: UPLOAD_TIMEOUTS }, tools);
  if (response.status === 200 || response.status === 201) return image;
  throw refusal(response, { credentials, effect: 'harmless', now: tools.now() });
}

const Image = z.object({ status: z.string().nullish().catch(undefined) });

/** Not every token may read the status. LinkedIn then waits by itself. */
async function untilAvailable(urn: string, credentials: LinkedinCredentials, tools: PlatformTools): Promise<void> {
  const path = `rest/images/${encodeURIComponent(urn)}`;
  for (let look = 0; look < MAX_LOOKUPS; look += 1) {
    const image = await askLinkedin({ path, credentials, answer: Image, unless: [403, 404] }, tools);
    if (image?.status === 'PROCESSING_FAILED') throw new PublishFailure('REFUSED', `${PLACE} cannot read a picture`);
    if (image?.status !== 'PROCESSING' && image?.status !== 'WAITING_UPLOAD') return;
    await tools.pause(BETWEEN_LOOKS_MS);
  }
  throw new PublishFailure('UNAVAILABLE', `${PLACE} has not made a picture ready in ${MAX_LOOKUPS} s`);
}
