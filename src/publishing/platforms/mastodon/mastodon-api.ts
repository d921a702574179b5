import { z } from 'zod';
import type { HttpResponse } from '../../../platform/http/http-response.js';
import { readJsonIf } from '../../../platform/http/json-answer.js';
import { joinUrl } from '../../../platform/http/web-address.js';
import type { PlatformTools, PublishFailure } from '../../platform.js';
import { resetAt } from '../announced-limit.js';
import { ask, readAnswer } from '../call-platform.js';
import { type Effect, statusFailure } from '../judge-failure.js';

export const PLACE = 'Mastodon';

export const MastodonCredentials = z.object({
  baseUrl: z
    .url({ protocol: /^https?$/, error: 'must be the address of an instance, such as https://mastodon.example' })
    .transform((address) => {
      const { origin, pathname } = new URL(address);
      return origin + pathname;
    }),
  accessToken: z.string().regex(/^[\x21-\x7e]{1,4096}$/, { error: 'must be a token, without spaces' }),
  /** Many instances accept longer posts than Mastodon's default. */
  maxCharacters: z.int().min(1).max(1_000_000).optional(),
});
export type MastodonCredentials = z.infer<typeof MastodonCredentials>;

/** Some compatible servers use numeric ids. */
export const Id = z.union([z.string().min(1), z.int().transform(String)]);

export const bearer = ({ accessToken }: MastodonCredentials) => ({ authorization: `Bearer ${accessToken}` });

export const at = ({ baseUrl }: MastodonCredentials, path: string): URL => joinUrl(baseUrl, path);

interface MastodonRead<T> {
  path: string;
  credentials: MastodonCredentials;
  answer: z.ZodType<T>;
}

export async function askMastodon<T>({ path, credentials, answer }: MastodonRead<T>, tools: PlatformTools): Promise<T> {
  const response = await ask(at(credentials, path), { headers: bearer(credentials) }, tools);
  if (response.status !== 200) throw refusal(response, { credentials, effect: 'harmless', now: tools.now() });
  return readAnswer(response, answer, { place: PLACE, effect: 'harmless' });
}

const Complaint = z.object({ error: z.string().nullish().catch(undefined) });

interface RefusedCall {
  credentials: MastodonCredentials;
  effect: Effect;
  now: Date;
}

export function refusal(response: HttpResponse, { credentials, effect, now }: RefusedCall): PublishFailure {
  return statusFailure(response, {
    place: PLACE,
    effect,
    words: readJsonIf(response, Complaint)?.error ?? undefined,
    secrets: [credentials.accessToken],
    until: resetAt(response.headers['x-ratelimit-reset'], now),
  });
}
