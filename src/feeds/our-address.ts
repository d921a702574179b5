import type { FastifyRequest } from 'fastify';

/** Returns the base URL at which the caller reaches this server, with a trailing slash. */
export function serverUrl({ protocol, host }: FastifyRequest, publicUrl: string | undefined): string {
  return publicUrl ? publicUrl.replace(/\/*$/, '/') : `${protocol}://${host}/`;
}
