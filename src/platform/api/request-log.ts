import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../log/log.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Carried by every log line of this request; whoever learns more about it adds to it. */
    logFacts: Record<string, unknown>;
  }
}

/** The one line each request leaves at its end. The query is left out: it can hold a sign-in token. */
export function logRequest(log: Log, request: FastifyRequest, reply: FastifyReply): void {
  const path = request.url.split('?')[0] ?? '';
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

/** Comes every few seconds, and says nothing new. */
const isProbe = (path: string) => path.startsWith('/health/') || path === '/metrics';
