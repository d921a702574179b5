import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.js';

/** Admits admins to what is not a controller (Swagger UI, bull-board, metrics). The auth module provides it. */
export abstract class AdminGate {
  /** A Fastify `onRequest` hook. It throws, or redirects a browser to the sign-in page. */
  abstract check(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

const ADMIN_ROUTES = { '/docs': 'docs', '/openapi.json': 'docs', '/admin': 'admin', '/metrics': 'metrics' } as const;

/** Checks the matched route and not the URL as sent, which has many spellings. */
export function needsAdmin(route: string, { openPaths }: Pick<Config, 'openPaths'>): boolean {
  return Object.entries(ADMIN_ROUTES).some(
    ([path, name]) => (route === path || route.startsWith(`${path}/`)) && !openPaths.has(name),
  );
}
