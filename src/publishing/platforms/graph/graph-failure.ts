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

/** `PASSING` marks temporary errors that leave it open whether the call had an effect. */
type Meaning = PublishFailureCode | 'PASSING';

const meanings = (meaning: Meaning, ...codes: number[]) => codes.map((code): [number, Meaning] => [code, meaning]);

/** Subcodes are more specific than codes. From 2207001 on they are Instagram's; the others are Facebook's. */
const SUBCODES = new Map<number, Meaning>([
  // The server failed, processing took too long, or the media could not be fetched or stored.
  ...meanings('PASSING', 2207001, 2207003, 2207032, 2207052, 2207053),
  // The container does not exist, is not ready or has expired, perhaps because it was published before.
  ...meanings('PASSING', 2207006, 2207008, 2207020, 2207027),
  // The post is suspected to be spam, or a thumbnail is out of bounds.
  ...meanings('REFUSED', 2207051, 2207057),
  ...meanings('RATE_LIMITED', 2207042),
  // The account is restricted until its owner signs in and completes a required step.
  ...meanings('AUTH_ERROR', 2207050),
  // The post was classified as abusive or violates the community standards.
  ...meanings('REFUSED', 1346003, 1404102),
  // The page may publish only after a person has confirmed their identity.
  ...meanings('AUTH_ERROR', 1404078, 4854002),
]);

const CODES = new Map<number, Meaning>([
  // There were too many calls by the application, user, page or account, too many posts, or a temporary block.
  ...meanings('RATE_LIMITED', 4, 9, 17, 32, 341, 368, 613, 80001, 80002),
  ...meanings('AUTH_ERROR', 3, 10, 102, 104, 190, 2500),
  ...meanings('PASSING', -2, -1, 1, 2),
]);

/** Returns undefined if only the status is meaningful. */
function meaningOf({ code, error_subcode, is_transient }: GraphComplaint): Meaning | undefined {
  const bySubcode = SUBCODES.get(error_subcode ?? 0);
  if (bySubcode) return bySubcode;
  const byCode = CODES.get(code ?? 0);
  if (byCode === 'RATE_LIMITED') return byCode;
  if (is_transient) return 'PASSING';
  if (byCode) return byCode;
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

export function uploadMeaning(words: string): 'REFUSED' | 'UNAVAILABLE' {
  const subcode = Number(/\b2207\d{3}\b/.exec(words)?.[0] ?? 0);
  return subcode && SUBCODES.get(subcode) !== 'PASSING' ? 'REFUSED' : 'UNAVAILABLE';
}
