import type { IncomingMessage, ServerResponse } from 'node:http';
import { startSite } from './site.js';

interface Strictness {
  /** At most this many requests in any window of that length. More are refused. */
  most: number;
  windowMs: number;
  /** Uses fixed windows of that length instead, of which one begins then (milliseconds since 1970). */
  edgeAt?: number;
  /** The headers of an answer, given the time until the oldest request leaves the window or the fixed window ends. */
  tell: (waitMs: number) => Record<string, string>;
  answer?: (request: IncomingMessage, response: ServerResponse) => void;
}

export const retryAfter = (waitMs: number) => ({ 'retry-after': String(Math.ceil(waitMs / 1_000)) });
export const untold = () => ({});

/** A site on loopback that enforces a rate limit and keeps a log. */
export async function startStrictSite(strictness: Strictness) {
  const { most, windowMs, edgeAt, tell, answer = (_, response) => response.end() } = strictness;
  const taken: { at: number; path: string }[] = [];
  const refused: { at: number; path: string }[] = [];
  const site = await startSite((request, response) => {
    const now = { at: Date.now(), path: request.url ?? '' };
    const begunAt = edgeAt && edgeAt + Math.floor((now.at - edgeAt) / windowMs) * windowMs;
    const lately = taken.filter(({ at }) => (begunAt ? at >= begunAt : at > now.at - windowMs));
    const headers = tell((begunAt ?? lately[0]?.at ?? now.at) + windowMs - now.at);
    if (lately.length >= most) {
      refused.push(now);
      return response.writeHead(429, headers).end();
    }
    taken.push(now);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    return answer(request, response);
  });
  return { site, taken, refused, host: `strict-${site.port}.example` };
}
