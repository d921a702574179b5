import type { HttpResponse } from '../../platform/http/http-response.js';
import { type OutgoingRequestCode, OutgoingRequestError } from '../../platform/http/outgoing-request-error.js';
import { storableText } from '../../platform/jobs/storable.js';
import { PublishFailure, type PublishFailureCode } from '../platform.js';

/** `shows`: the call publishes the post. `harmless`: it can be repeated without visible effect. */
export type Effect = 'shows' | 'harmless';

/** These errors occur only while a connection is established, so nothing can have been sent. */
const UNSENT_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_SOCKET_CONNECTION_TIMEOUT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
const UNSENT_CALLS = new Set(['connect', 'getaddrinfo']);

/** The call must not follow redirects, because then a refused address would say nothing about the host before it. */
export function uncertainUnlessUnsent(error: unknown): PublishFailure {
  if (error instanceof PublishFailure) return error;
  const unsent = unsentFailure(error);
  if (unsent) return unsent;
  const why = error instanceof OutgoingRequestError ? wordsOf(error) : 'the call was broken off';
  return new PublishFailure('UNCERTAIN', `${why}; whether the post is there is not known`, { cause: error });
}

/** Errors that are not failures of the call, such as an abort, are returned unchanged. */
export function harmless(error: unknown): unknown {
  if (!(error instanceof OutgoingRequestError)) return error;
  const code = ANOTHER_ADDRESS.has(error.code) ? 'REFUSED' : error.code === 'TOO_LARGE' ? 'UNAVAILABLE' : 'UNREACHABLE';
  return unsentFailure(error) ?? new PublishFailure(code, wordsOf(error), { cause: error });
}

const ANOTHER_ADDRESS = new Set<OutgoingRequestCode>(['INVALID_URL', 'TOO_MANY_REDIRECTS']);

/** The client's message counts redirects, but no redirect is followed here. */
function wordsOf({ code, message }: OutgoingRequestError): string {
  const [origin] = message.split(' ');
  return code === 'TOO_MANY_REDIRECTS' ? `${origin} redirects; give the address where it leads to` : message;
}

/** INVALID_URL is not included, because it can only come from a server that redirects to an invalid address. */
function unsentFailure(error: unknown): PublishFailure | undefined {
  if (!(error instanceof OutgoingRequestError)) return undefined;
  const { code, message, cause, until } = error;
  if (code === 'ADDRESS_REFUSED') return new PublishFailure('REFUSED', message, { cause: error });
  if (code === 'HOST_BACKING_OFF') return new PublishFailure('RATE_LIMITED', message, { cause: error, until });
  if (code === 'HOST_BUSY') return new PublishFailure('NOT_YET', message, { cause: error, until });
  if (isUnsent(cause)) return new PublishFailure('UNREACHABLE', message, { cause: error });
  return undefined;
}

/** A connection that was tried over several addresses fails with an AggregateError of all their errors. */
function isUnsent(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  if (cause instanceof AggregateError) return cause.errors.length > 0 && cause.errors.every(isUnsent);
  const { code = '', syscall = '' } = cause as NodeJS.ErrnoException;
  return UNSENT_CODES.has(code) || UNSENT_CALLS.has(syscall);
}

interface StatusDetails {
  place: string;
  /** The effect of the call. The default is `shows`, because wrongly assuming `harmless` could publish a post twice. */
  effect?: Effect | undefined;
  code?: PublishFailureCode | undefined;
  words?: string | undefined;
  secrets?: (string | undefined)[] | undefined;
  /** The reset time from the platform's own headers or message. `Retry-After` takes precedence. */
  until?: Date | undefined;
}

export function statusFailure(response: HttpResponse, details: StatusDetails): PublishFailure {
  const { status, retryAfter } = response;
  const { place, effect = 'shows', code = meaningOf(status, effect), words = '', secrets = [] } = details;
  const said = tidied(words, secrets);
  const until = retryAfter ?? (code === 'RATE_LIMITED' ? details.until : undefined);
  // A server that names a time for the next call only asks to wait.
  const judged = (code === 'UNAVAILABLE' || code === 'UNREACHABLE') && retryAfter ? 'NOT_YET' : code;
  return new PublishFailure(judged, `${place} answered ${status}${said && `: ${said}`}`, { until });
}

/** A redirect is not a refusal, because the server may have done the work before. */
function meaningOf(status: number, effect: Effect): PublishFailureCode {
  if (status === 401 || status === 403) return 'AUTH_ERROR';
  if (status === 429) return 'RATE_LIMITED';
  if (status >= 400 && status < 500 && status !== 408) return 'REFUSED';
  if (effect === 'shows') return 'UNCERTAIN';
  return status >= 500 || status === 408 ? 'UNREACHABLE' : 'UNAVAILABLE';
}

const MAX_WORDS_LENGTH = 300;
/** Shorter secrets would match unrelated words. */
const MIN_SECRET_LENGTH = 4;

export function tidied(words: string, secrets: (string | undefined)[] = []): string {
  const shown = secrets.flatMap(spellings).reduce((text, secret) => text.replaceAll(secret, '(hidden)'), words);
  return storableText(shown.trimStart().slice(0, MAX_WORDS_LENGTH * 4))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_WORDS_LENGTH)
    .toWellFormed();
}

function spellings(secret: string | undefined): string[] {
  if (secret === undefined || secret.length < MIN_SECRET_LENGTH) return [];
  const wellFormed = secret.toWellFormed();
  const quoted = JSON.stringify(wellFormed).slice(1, -1);
  return [secret, quoted, encodeURIComponent(wellFormed), new URLSearchParams([['', wellFormed]]).toString().slice(1)];
}
