import type { z } from 'zod';
import type { RequestOptions } from '../../platform/http/http-client.js';
import type { HttpResponse } from '../../platform/http/http-response.js';
import { readRemoteJson } from '../../platform/http/json-answer.js';
import { type PlatformTools, PublishFailure } from '../platform.js';
import { type Effect, harmless, uncertainUnlessUnsent } from './judge-failure.js';

type Call = Omit<RequestOptions, 'signal' | 'maxRedirects' | 'asAccount'>;

/** No redirect is followed: it might make another call of this one, or lead a token to strangers. */
const WAY = { maxRedirects: 0, asAccount: true };

/** The one call that shows a post. */
export async function sendOnce(url: URL, call: Call, { http, signal }: PlatformTools): Promise<HttpResponse> {
  signal.throwIfAborted();
  try {
    return await http.request(url.href, { method: 'POST', ...call, ...WAY, signal });
  } catch (error) {
    throw uncertainUnlessUnsent(error);
  }
}

/** A call that shows nothing and may be repeated. */
export async function ask(url: URL, call: Call, { http, signal }: PlatformTools): Promise<HttpResponse> {
  try {
    return await http.request(url.href, { ...call, ...WAY, signal });
  } catch (error) {
    throw harmless(error);
  }
}

/**
 * An answer as the platform documents it. What breaks that leaves open whether the call was heeded. The parser's error is
 * not kept as the cause: it quotes the answer, which may repeat a token.
 */
export async function readAnswer<T>(
  response: HttpResponse,
  schema: z.ZodType<T>,
  { place, effect }: { place: string; effect: Effect },
): Promise<T> {
  const answer = await readRemoteJson(response, schema);
  if ('data' in answer) return answer.data;
  throw new PublishFailure(effect === 'shows' ? 'UNCERTAIN' : 'UNAVAILABLE', `${place} ${answer.breach}`);
}
