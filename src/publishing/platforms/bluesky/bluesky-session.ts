import { z } from 'zod';
import type { HttpResponse } from '../../../platform/http/http-response.js';
import { type PlatformTools, PublishFailure } from '../../platform.js';
import { ask, readAnswer } from '../call-platform.js';
import { type BlueskyCredentials, bearer, method, PLACE, refusal, type Session } from './bluesky-api.js';

/** A token that expires within this time (ms) is renewed before it is used. */
const SPARE_MS = 10 * 60_000;

const Service = z.object({ id: z.string(), serviceEndpoint: z.url({ protocol: /^https?$/ }) });

const SessionAnswer = z.object({
  did: z.string().startsWith('did:'),
  /** The protocol uses this value for a handle that cannot be verified. */
  handle: z.string().min(1).catch('handle.invalid'),
  accessJwt: z.string().min(1),
  refreshJwt: z.string().min(1),
  active: z.boolean().nullish().catch(undefined),
  status: z.string().nullish().catch(undefined),
  didDoc: z
    .object({ service: z.array(Service.or(z.unknown().transform(() => undefined))) })
    .nullish()
    .catch(undefined),
});
type SessionAnswer = z.infer<typeof SessionAnswer>;

/** Signs in with the password. Bluesky allows this 30 times in 5 minutes and 300 times a day. */
export async function signIn(credentials: BlueskyCredentials, tools: PlatformTools): Promise<Session> {
  const { service, identifier, password } = credentials;
  const call = {
    method: 'POST' as const,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identifier, password }),
  };
  const response = await ask(method(service, 'com.atproto.server.createSession'), call, tools);
  if (response.status !== 200) throw refusal(response, { credentials, effect: 'harmless', now: tools.now() });
  return readSession(response, credentials);
}

export async function renewSession(
  credentials: BlueskyCredentials,
  reason: 'before use' | 'refused',
  tools: PlatformTools,
): Promise<BlueskyCredentials | undefined> {
  const { session } = credentials;
  if (session && reason === 'before use' && !runsOut(session, tools.now())) return undefined;
  const renewed = session && (await prolong(session, credentials, tools));
  return { ...credentials, session: renewed ?? (await signIn(credentials, tools)) };
}

function runsOut({ expiresAt }: Session, now: Date): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) - now.getTime() < SPARE_MS;
}

/** Returns undefined if the password is needed, because the session ended or the answer to its renewal was lost. */
async function prolong(
  { refreshJwt }: Session,
  credentials: BlueskyCredentials,
  tools: PlatformTools,
): Promise<Session | undefined> {
  const call = { method: 'POST' as const, headers: bearer(refreshJwt) };
  const response = await ask(method(credentials.service, 'com.atproto.server.refreshSession'), call, tools);
  if (response.status === 200) return readSession(response, credentials);
  if (response.status === 400 || response.status === 401) return undefined;
  throw refusal(response, { credentials, effect: 'harmless', now: tools.now() });
}

async function readSession(response: HttpResponse, { service }: BlueskyCredentials): Promise<Session> {
  const answer = await readAnswer(response, SessionAnswer, { place: PLACE, effect: 'harmless' });
  const { did, handle, accessJwt, refreshJwt, active, status } = answer;
  if (active === false)
    throw new PublishFailure('AUTH_ERROR', `${PLACE} says that the account is ${status ?? 'inactive'}`);
  return { did, handle, accessJwt, refreshJwt, pds: pdsOf(answer, service), expiresAt: expiryOf(accessJwt) };
}

/** A service that is reached over HTTPS may not direct tokens to a server without it. */
function pdsOf({ didDoc }: SessionAnswer, service: string): string {
  const endpoint = didDoc?.service.find((each) => each?.id.endsWith('#atproto_pds'))?.serviceEndpoint;
  const isFit = endpoint && (endpoint.startsWith('https:') || service.startsWith('http:'));
  return isFit ? endpoint : service;
}

const Claims = z.object({ exp: z.number().max(8.64e12) });

function expiryOf(token: string): string | undefined {
  const [, payload = ''] = token.split('.');
  try {
    const { exp } = Claims.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
    return new Date(exp * 1000).toISOString();
  } catch {
    // Tokens need not be readable. An unreadable one is used until it is refused.
    return undefined;
  }
}
