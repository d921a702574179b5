import { apiCodeOf } from '../fetching/source-catalogue.js';
import { ApiError } from '../platform/errors/api-error.js';
import type { ErrorCode } from '../platform/errors/error-codes.js';
import { OutgoingRequestError } from '../platform/http/outgoing-request-error.js';

/** Why an address leads nowhere, as the one who gave it is told. */
export function aboutUrl(code: ErrorCode, message: string): ApiError {
  return new ApiError(code, message, { errors: [{ path: 'url', message }] });
}

/** Returns what is no fault of the address as it is. */
export function toTrouble(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof OutgoingRequestError) return aboutUrl(apiCodeOf(error), sentence(error.message));
  if (signal.aborted) return aboutUrl('site_unreachable', 'The site did not answer in time.');
  return error;
}

const sentence = (text: string) => `${text.trim().replace(/\.$/, '')}.`;
