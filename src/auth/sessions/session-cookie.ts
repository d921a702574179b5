import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_COOKIE as NAME } from '../../platform/api/openapi.js';
import { canParseUrl } from '../../platform/can-parse-url.js';
import { SESSION_SECONDS } from './sessions.store.js';

export function readSessionCookie({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${NAME}=`))?.slice(NAME.length + 1) || undefined;
}

export function setSessionCookie(reply: FastifyReply, token: string, publicUrl?: string): void {
  writeCookie(reply, `${NAME}=${token}; Max-Age=${SESSION_SECONDS}`, publicUrl);
}

export function clearSessionCookie(reply: FastifyReply, publicUrl?: string): void {
  writeCookie(reply, `${NAME}=; Max-Age=0`, publicUrl);
}

/** The cookie is Lax and not Strict, so that a link to Millrace in a mail or chat opens signed in. */
function writeCookie(reply: FastifyReply, cookie: string, publicUrl?: string): void {
  const secure = publicUrl?.startsWith('https:') ? '; Secure' : '';
  reply.header('Set-Cookie', `${cookie}; Path=/; HttpOnly; SameSite=Lax${secure}`);
}

/** Old browsers and programs do not say where a request comes from. */
export function requestOrigin(headers: IncomingHttpHeaders, publicUrl?: string): 'ours' | 'foreign' | 'unknown' {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none' ? 'ours' : 'foreign';
  const { origin, host } = headers;
  if (origin === undefined) return 'unknown';
  if (publicUrl && origin === new URL(publicUrl).origin) return 'ours';
  return canParseUrl(origin) && new URL(origin).host === host?.toLowerCase() ? 'ours' : 'foreign';
}
