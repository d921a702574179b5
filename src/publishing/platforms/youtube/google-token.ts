import { z } from 'zod';
import { readJsonIf } from '../../../platform/http/json-answer.js';
import type { PlatformTools } from '../../platform.js';
import { ask, readAnswer } from '../call-platform.js';
import { statusFailure } from '../judge-failure.js';

const PLACE = 'Google';
/** A token that expires within this time (ms) is renewed first, because an upload may take a while. */
const MIN_MS = 5 * 60_000;

const Secret = z.string().regex(/^[\x21-\x7e]+$/, { error: 'must be given, without spaces' });

export const GoogleCredentials = z.object({
  clientId: Secret,
  clientSecret: Secret,
  refreshToken: Secret,
  access: z.object({ token: Secret, until: z.iso.datetime() }).optional(),
});
export type GoogleCredentials = z.infer<typeof GoogleCredentials>;

export const secretsOf = ({ clientSecret, refreshToken, access }: GoogleCredentials) => [
  clientSecret,
  refreshToken,
  access?.token,
];

export function isFresh({ access }: GoogleCredentials, now: Date): boolean {
  return access !== undefined && Date.parse(access.until) - now.getTime() > MIN_MS;
}

export type OpenedCredentials = GoogleCredentials & { access: { token: string; until: string } };

export async function withAccess(credentials: GoogleCredentials, tools: PlatformTools): Promise<OpenedCredentials> {
  const { access } = credentials;
  return access && isFresh(credentials, tools.now()) ? { ...credentials, access } : renewed(credentials, tools);
}

const Granted = z.object({ access_token: Secret, expires_in: z.number().positive().max(1e6).catch(3600) });
const Refused = z.object({ error: z.string(), error_description: z.string().nullish().catch(undefined) });

export async function renewed(credentials: GoogleCredentials, tools: PlatformTools): Promise<OpenedCredentials> {
  const { clientId, clientSecret, refreshToken } = credentials;
  const form = new URLSearchParams({
    client_id: clientId,
    client_secret: clientSecret,
    refresh_token: refreshToken,
    grant_type: 'refresh_token',
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const call = { method: 'POST' as const, headers, body: form.toString() };
  const response = await ask(new URL(tools.config.googleTokenUrl), call, tools);
  if (response.status !== 200) {
    const { error = '', error_description } = readJsonIf(response, Refused) ?? {};
    const words = [error, error_description].filter(Boolean).join(': ');
    const code = response.status === 400 ? 'AUTH_ERROR' : undefined;
    throw statusFailure(response, { place: PLACE, effect: 'harmless', code, words, secrets: secretsOf(credentials) });
  }
  const granted = await readAnswer(response, Granted, { place: PLACE, effect: 'harmless' });
  const until = new Date(tools.now().getTime() + granted.expires_in * 1000).toISOString();
  return { ...credentials, access: { token: granted.access_token, until } };
}
