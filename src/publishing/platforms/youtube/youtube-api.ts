import { z } from 'zod';
import type { HttpResponse } from '../../../platform/http/http-response.js';
import { readJsonIf } from '../../../platform/http/json-answer.js';
import { joinUrl } from '../../../platform/http/web-address.js';
import { type PlatformTools, type Published, PublishFailure, type PublishFailureCode } from '../../platform.js';
import { ask, readAnswer } from '../call-platform.js';
import { type Effect, statusFailure } from '../judge-failure.js';
import { type OpenedCredentials, secretsOf } from './google-token.js';
import { nextPacificMidnight } from './pacific-midnight.js';

export const PLACE = 'YouTube';

export interface Youtube {
  credentials: OpenedCredentials;
  tools: PlatformTools;
}

export const bearer = ({ credentials }: Youtube) => ({ authorization: `Bearer ${credentials.access.token}` });

export async function askYoutube<T>(path: string, answer: z.ZodType<T>, youtube: Youtube): Promise<T> {
  const { tools } = youtube;
  const response = await ask(joinUrl(tools.config.youtubeApiUrl, path), { headers: bearer(youtube) }, tools);
  if (response.status !== 200) throw refusal(response, 'harmless', youtube);
  return readAnswer(response, answer, { place: PLACE, effect: 'harmless' });
}

const Problem = z.object({
  error: z.object({
    message: z.string().nullish().catch(undefined),
    errors: z
      .array(z.object({ reason: z.string().nullish() }))
      .nullish()
      .catch(undefined),
  }),
});

const MEANINGS: Record<string, PublishFailureCode> = {
  quotaExceeded: 'RATE_LIMITED',
  dailyLimitExceeded: 'RATE_LIMITED',
  uploadLimitExceeded: 'RATE_LIMITED',
  rateLimitExceeded: 'RATE_LIMITED',
  userRateLimitExceeded: 'RATE_LIMITED',
  forbiddenPrivacySetting: 'REFUSED',
  forbiddenLicenseSetting: 'REFUSED',
};
const DAY_MS = 24 * 3_600_000;

export function refusal(response: HttpResponse, effect: Effect, { credentials, tools }: Youtube): PublishFailure {
  const { message, errors } = readJsonIf(response, Problem)?.error ?? {};
  const reason = errors?.[0]?.reason ?? '';
  const isOwn = response.status < 500 && Object.hasOwn(MEANINGS, reason);
  return statusFailure(response, {
    place: PLACE,
    effect,
    code: isOwn ? MEANINGS[reason] : undefined,
    words: [reason, message].filter(Boolean).join(': '),
    secrets: secretsOf(credentials),
    until: untilOf(reason, tools.now()),
  });
}

/** A project's quota resets at midnight in California; a channel's uploads are counted over a day. */
function untilOf(reason: string, now: Date): Date | undefined {
  if (reason === 'quotaExceeded' || reason === 'dailyLimitExceeded') return nextPacificMidnight(now);
  return reason === 'uploadLimitExceeded' ? new Date(now.getTime() + DAY_MS) : undefined;
}

export const Video = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  status: z.object({ privacyStatus: z.string().nullish() }).nullish().catch(undefined),
});
export type Video = z.infer<typeof Video>;

/** YouTube keeps videos of projects that Google has not audited private, whatever was requested. */
export function publishedAs({ id, status }: Video): Published {
  const privacy = status?.privacyStatus ?? 'public';
  if (privacy === 'public') return { postId: id, url: `https://www.youtube.com/watch?v=${id}` };
  const message = `${PLACE} took the video as ${id} and keeps it ${privacy}, as it does with projects that Google has not audited`;
  throw new PublishFailure('REFUSED', message);
}
