import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.js';

/** Lets admins through to what is no controller (Swagger UI, bull-board, metrics); auth provides it. */
export abstract class AdminGate {
  /** A Fastify `onRequest` hook: throws, or sends a browser to the sign-in page. */
  abstract check(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

const ADMIN_ROUTES = { '/docs': 'docs', '/openapi.json': 'docs', '/admin': 'admin', '/metrics': 'metrics' } as const;

/** Asks for the matched route, not the address as sent, which has many spellings. */
export function needsAdmin(route: string, { openPaths }: Pick<Config, 'openPaths'>): boolean {
  return Object.entries(ADMIN_ROUTES).some(
    ([path, name]) => (route === path || route.startsWith(`${path}/`)) && !openPaths.has(name),
  );
}
