import { z } from 'zod';
import type { HttpResponse } from '../../../platform/http/http-response.js';
import { readJsonIf } from '../../../platform/http/json-answer.js';
import { joinUrl } from '../../../platform/http/web-address.js';
import { PublishFailure, type PublishFailureCode } from '../../platform.js';
import { resetAt } from '../announced-limit.js';
import { type Effect, statusFailure } from '../judge-failure.js';

export const PLACE = 'Bluesky';

const WebAddress = z.url({ protocol: /^https?$/, error: 'must be an address such as https://bsky.social' });
const Token = z.string().regex(/^[\x21-\x7e]{1,8192}$/);

const Session = z.object({
  did: z.string().startsWith('did:'),
  handle: z.string().min(1),
  accessJwt: Token,
  refreshJwt: Token,
  /** The server that holds the account's posts. `service` may only be an entry point to many servers. */
  pds: WebAddress,
  expiresAt: z.iso.datetime().optional(),
});
export type Session = z.infer<typeof Session>;

export const BlueskyCredentials = z.object({
  service: WebAddress.default('https://bsky.social'),
  identifier: z
    .string()
    .trim()
    .min(1)
    .transform((text) => text.replace(/^@/, '')),
  password: z.string().min(1),
  session: Session.optional(),
});
export type BlueskyCredentials = z.infer<typeof BlueskyCredentials>;

/** The engine creates a session before it uses an account, and again when one is refused. */
export function sessionOf({ session }: BlueskyCredentials): Session {
  if (!session) throw new PublishFailure('AUTH_ERROR', `nobody has signed in to ${PLACE} yet`);
  return session;
}

export const method = (base: string, name: string): URL => joinUrl(base, `xrpc/${name}`);

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const Complaint = z.object({ error: z.string(), message: z.string().nullish().catch(undefined) });

export const errorOf = (response: HttpResponse): string => readJsonIf(response, Complaint)?.error ?? '';

/** Bluesky answers 400 to an expired token. */
const MEANINGS: Record<string, PublishFailureCode> = {
  ExpiredToken: 'AUTH_ERROR',
  InvalidToken: 'AUTH_ERROR',
  AuthMissing: 'AUTH_ERROR',
  AuthenticationRequired: 'AUTH_ERROR',
  AuthFactorTokenRequired: 'AUTH_ERROR',
  AccountTakedown: 'AUTH_ERROR',
  AccountSuspended: 'AUTH_ERROR',
  AccountDeactivated: 'AUTH_ERROR',
  RateLimitExceeded: 'RATE_LIMITED',
  // Bluesky removed an unused upload; the next attempt uploads it again.
  BlobNotFound: 'UNAVAILABLE',
};

const ADVICE: Record<string, string> = { AuthFactorTokenRequired: ' (make an app password for Millrace)' };

interface RefusedCall {
  credentials: BlueskyCredentials;
  effect: Effect;
  now: Date;
}

export function refusal(response: HttpResponse, { credentials, effect, now }: RefusedCall): PublishFailure {
  const { error = '', message } = readJsonIf(response, Complaint) ?? {};
  const { password, session } = credentials;
  const isRefusal = response.status >= 400 && response.status < 500;
  return statusFailure(response, {
    place: PLACE,
    effect,
    code: isRefusal && Object.hasOwn(MEANINGS, error) ? MEANINGS[error] : undefined,
    words: `${message || error}${ADVICE[error] ?? ''}`,
    secrets: [password, session?.accessJwt, session?.refreshJwt],
    until: resetAt(response.headers['ratelimit-reset'], now),
  });
}
