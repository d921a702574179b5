import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../log/log.js';
import { redactAddress } from '../redact.js';

declare module 'fastify' {
  interface FastifyRequest {
    logFacts: Record<string, unknown>;
  }
}

/** Logs one line at the end of each request. The query is left out, because it may contain a token. */
export function logRequest(log: Log, request: FastifyRequest, reply: FastifyReply): void {
  const path = shownPath(request);
  log[isProbe(path) ? 'debug' : 'info'](
    {
      event: 'request_ended',
      ...request.logFacts,
      method: request.method,
      path,
      ...(reply.raw.headersSent && { status: reply.statusCode }),
      ...(!reply.raw.writableFinished && { aborted: true }),
      ms: Math.round(reply.elapsedTime * 10) / 10,
    },
    'A request ended',
  );
}

/** A path that contains a token is logged as its route. An unknown path may contain anything. */
function shownPath({ url, params, is404, routeOptions }: FastifyRequest): string {
  const [path = ''] = url.split('?', 1);
  if (is404) return redactAddress(path);
  const hasToken = typeof params === 'object' && params !== null && 'token' in params;
  return hasToken ? (routeOptions.url ?? redactAddress(path)) : path;
}

const isProbe = (path: string) => path.startsWith('/health/') || path === '/metrics';
