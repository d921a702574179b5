import type { FastifyRequest } from 'fastify';

/** Where the caller reaches us, with a slash at its end. */
export function addressOf({ protocol, host }: FastifyRequest, publicUrl: string | undefined): string {
  return publicUrl ? publicUrl.replace(/\/*$/, '/') : `${protocol}://${host}/`;
}
