import { z } from 'zod';
import type { HttpResponse } from '../../../platform/http/http-response.js';
import { readJsonIf } from '../../../platform/http/json-answer.js';
import { joinUrl } from '../../../platform/http/web-address.js';
import type { PlatformTools, PublishFailure } from '../../platform.js';
import { ask, readAnswer } from '../call-platform.js';
import { type Effect, statusFailure } from '../judge-failure.js';

export const PLACE = 'LinkedIn';
/** LinkedIn supports each monthly version for at least a year, this one until July 2027. */
const VERSION = '202607';

export const LinkedinCredentials = z.object({
  author: z.string().regex(/^urn:li:(person|organization):[\w-]+$/, {
    error: 'must look like urn:li:person:abc or urn:li:organization:123',
  }),
  accessToken: z.string().regex(/^[\x21-\x7e]+$/, { error: 'must be a token, without spaces' }),
});
export type LinkedinCredentials = z.infer<typeof LinkedinCredentials>;

export const headersFor = ({ accessToken }: LinkedinCredentials, more: Record<string, string> = {}) => ({
  authorization: `Bearer ${accessToken}`,
  'linkedin-version': VERSION,
  'x-restli-protocol-version': '2.0.0',
  ...more,
});

interface LinkedinRequest<T> {
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  credentials: LinkedinCredentials;
  answer: z.ZodType<T>;
  unless?: number[];
}

export async function askLinkedin<T>(request: LinkedinRequest<T>, tools: PlatformTools): Promise<T | undefined> {
  const { path, body, headers, credentials, answer, unless = [] } = request;
  const call = body === undefined ? {} : { method: 'POST' as const, body: JSON.stringify(body) };
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await ask(
    joinUrl(tools.config.linkedinUrl, path),
    { ...call, headers: headersFor(credentials, { ...json, ...headers }) },
    tools,
  );
  if (unless.includes(response.status)) return undefined;
  if (response.status !== 200) throw refusal(response, { credentials, effect: 'harmless', now: tools.now() });
  return readAnswer(response, answer, { place: PLACE, effect: 'harmless' });
}

const Problem = z.object({
  message: z.string().nullish().catch(undefined),
  errorDetails: z
    .object({ inputErrors: z.array(z.object({ code: z.string().nullish().catch(undefined) })) })
    .nullish()
    .catch(undefined),
});

interface RefusedCall {
  credentials: LinkedinCredentials;
  effect: Effect;
  now: Date;
}

export function refusal(response: HttpResponse, { credentials, effect, now }: RefusedCall): PublishFailure {
  const words = readJsonIf(response, Problem)?.message ?? '';
  // "… throttle APPLICATION DAY limit …": such limits reset at midnight UTC.
  const until = /\bDAY\b/.test(words) ? nextDay(now) : undefined;
  return statusFailure(response, { place: PLACE, effect, words, secrets: [credentials.accessToken], until });
}

const nextDay = (now: Date) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));

/** Undefined if LinkedIn reports no duplicate; '' if it does not name the post. */
export function duplicateOf(response: HttpResponse): string | undefined {
  const problem = response.status === 422 || response.status === 400 ? readJsonIf(response, Problem) : undefined;
  const words = problem?.message ?? '';
  const isDuplicate =
    problem?.errorDetails?.inputErrors.some(({ code }) => code === 'DUPLICATE_POST') || /\bduplicate of\b/i.test(words);
  return isDuplicate ? (/urn:li:(share|ugcPost):\d+/.exec(words)?.[0] ?? '') : undefined;
}
