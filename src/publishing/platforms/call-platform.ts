import type { z } from 'zod';
import type { RequestOptions } from '../../platform/http/http-client.js';
import type { HttpResponse } from '../../platform/http/http-response.js';
import { readRemoteJson } from '../../platform/http/json-answer.js';
import { type PlatformTools, PublishFailure } from '../platform.js';
import { type Effect, harmless, uncertainUnlessUnsent } from './judge-failure.js';

type Call = Omit<RequestOptions, 'signal' | 'maxRedirects' | 'asAccount'>;

/** Redirects are not followed, because they could cause a second call or pass a token to another host. */
const WAY = { maxRedirects: 0, asAccount: true };

export async function sendOnce(url: URL, call: Call, { http, signal }: PlatformTools): Promise<HttpResponse> {
  signal.throwIfAborted();
  try {
    return await http.request(url.href, { method: 'POST', ...call, ...WAY, signal });
  } catch (error) {
    throw uncertainUnlessUnsent(error);
  }
}

export async function ask(url: URL, call: Call, { http, signal }: PlatformTools): Promise<HttpResponse> {
  try {
    return await http.request(url.href, { ...call, ...WAY, signal });
  } catch (error) {
    throw harmless(error);
  }
}

/** The parser's error is not kept as the cause, because it quotes the answer, which may contain a token. */
export async function readAnswer<T>(
  response: HttpResponse,
  schema: z.ZodType<T>,
  { place, effect }: { place: string; effect: Effect },
): Promise<T> {
  const answer = await readRemoteJson(response, schema);
  if ('data' in answer) return answer.data;
  throw new PublishFailure(effect === 'shows' ? 'UNCERTAIN' : 'UNAVAILABLE', `${place} ${answer.breach}`);
}
