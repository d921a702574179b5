import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../log/log.js';
import { redactAddress } from '../redact.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Carried by every log line of this request; whoever learns more about it adds to it. */
    logFacts: Record<string, unknown>;
  }
}

/** The one line each request leaves at its end. The query is left out, because it can hold a token. */
export function logRequest(log: Log, request: FastifyRequest, reply: FastifyReply): void {
  const path = shownPath(request);
  log[isProbe(path) ? 'debug' : 'info'](
    {
      ...request.logFacts,
      method: request.method,
      path,
      ...(reply.raw.headersSent && { status: reply.statusCode }),
      ...(!reply.raw.writableFinished && { aborted: true }),
      ms: Math.round(reply.elapsedTime * 10) / 10,
    },
    'request',
  );
}

/** A path that holds a token is shown as its route; one that no route knows may hold anything. */
function shownPath({ url, params, is404, routeOptions }: FastifyRequest): string {
  const [path = ''] = url.split('?', 1);
  if (is404) return redactAddress(path);
  const hasToken = typeof params === 'object' && params !== null && 'token' in params;
  return hasToken ? (routeOptions.url ?? redactAddress(path)) : path;
}

/** Comes every few seconds, and says nothing new. */
const isProbe = (path: string) => path.startsWith('/health/') || path === '/metrics';
