import { z } from 'zod';
import type { HttpResponse } from '../../../platform/http/http-response.js';
import { readJsonIf } from '../../../platform/http/json-answer.js';
import type { PublishFailure, PublishFailureCode } from '../../platform.js';
import { type Effect, statusFailure } from '../judge-failure.js';
import { regainsAccessAt } from './graph-usage.js';

const Words = z.string().nullish().catch(undefined);
const Code = z.number().nullish().catch(undefined);

const Complaint = z.object({
  error: z.object({
    code: Code,
    error_subcode: Code,
    is_transient: z.boolean().nullish().catch(undefined),
    message: Words,
    error_user_msg: Words,
  }),
});
type GraphComplaint = z.infer<typeof Complaint>['error'];

export function complaintOf(response: HttpResponse): GraphComplaint | undefined {
  return response.status < 400 ? undefined : readJsonIf(response, Complaint)?.error;
}

/** What may go better another time, but leaves open whether the call was heeded. */
type Meaning = PublishFailureCode | 'PASSING';

const meanings = (meaning: Meaning, ...codes: number[]) => codes.map((code): [number, Meaning] => [code, meaning]);

/** They tell more than the code that they come with: of Instagram from 2207001 on, the others of Facebook. */
const SUBCODES = new Map<number, Meaning>([
  // The server failed; it took too long with the media, or could not fetch or store them.
  ...meanings('PASSING', 2207001, 2207003, 2207032, 2207052, 2207053),
  // The container is not there, not ready, or expired: perhaps because it was published before.
  ...meanings('PASSING', 2207006, 2207008, 2207020, 2207027),
  // Suspected to be spam; a thumbnail out of bounds.
  ...meanings('REFUSED', 2207051, 2207057),
  ...meanings('RATE_LIMITED', 2207042),
  // The account is restricted until its owner signs in and does what is asked there.
  ...meanings('AUTH_ERROR', 2207050),
  // Deemed abusive; against the community's standards.
  ...meanings('REFUSED', 1346003, 1404102),
  // Somebody must prove who they are before the page may publish.
  ...meanings('AUTH_ERROR', 1404078, 4854002),
]);

const CODES = new Map<number, Meaning>([
  // Too many calls, of the application, the user, the page or the account; too many posts; blocked for a while.
  ...meanings('RATE_LIMITED', 4, 9, 17, 32, 341, 368, 613, 80001, 80002),
  ...meanings('AUTH_ERROR', 3, 10, 102, 104, 190, 2500),
  ...meanings('PASSING', -2, -1, 1, 2),
]);

/** What an error of the Graph API means; undefined where only the status tells. */
function meaningOf({ code, error_subcode, is_transient }: GraphComplaint): Meaning | undefined {
  const bySubcode = SUBCODES.get(error_subcode ?? 0);
  if (bySubcode) return bySubcode;
  const byCode = CODES.get(code ?? 0);
  if (byCode === 'RATE_LIMITED') return byCode;
  if (is_transient) return 'PASSING';
  if (byCode) return byCode;
  // A missing permission, and a page or account that the token may not see.
  const isForbidden = (code && code >= 200 && code <= 299) || (code === 100 && error_subcode === 33);
  return isForbidden ? 'AUTH_ERROR' : undefined;
}

interface GraphCall {
  place: string;
  effect: Effect;
  accessToken: string;
  now: Date;
}

export function graphFailure(response: HttpResponse, { place, effect, accessToken, now }: GraphCall): PublishFailure {
  const complaint = complaintOf(response);
  const meaning = complaint && meaningOf(complaint);
  return statusFailure(response, {
    place,
    effect,
    code: meaning === 'PASSING' ? passing(effect) : meaning,
    words: complaint?.error_user_msg || complaint?.message || undefined,
    secrets: [accessToken],
    until: regainsAccessAt(response.headers, now),
  });
}

const passing = (effect: Effect): PublishFailureCode => (effect === 'harmless' ? 'UNREACHABLE' : 'UNCERTAIN');

/** What a subcode that stands in words about a failed upload means for the upload. */
export function uploadMeaning(words: string): 'REFUSED' | 'UNAVAILABLE' {
  const subcode = Number(/\b2207\d{3}\b/.exec(words)?.[0] ?? 0);
  return subcode && SUBCODES.get(subcode) !== 'PASSING' ? 'REFUSED' : 'UNAVAILABLE';
}
