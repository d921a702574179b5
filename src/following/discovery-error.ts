import { ApiError } from '../platform/errors/api-error.js';
import type { ErrorCode } from '../platform/errors/error-codes.js';
import { OutgoingRequestError } from '../platform/http/outgoing-request-error.js';

/** Why an address leads nowhere, as the one who gave it is told. */
export function aboutUrl(code: ErrorCode, message: string): ApiError {
  return new ApiError(code, message, { errors: [{ path: 'url', message }] });
}

/** Returns what is no fault of the address as it is. */
export function toTrouble(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof OutgoingRequestError) return aboutUrl(codeOf(error), sentence(error.message));
  if (signal.aborted) return aboutUrl('site_unreachable', 'The site did not answer in time.');
  return error;
}

export function codeOf({ code }: OutgoingRequestError): ErrorCode {
  if (code === 'ADDRESS_REFUSED') return 'address_refused';
  return code === 'INVALID_URL' ? 'validation_failed' : 'site_unreachable';
}

const sentence = (text: string) => `${text.trim().replace(/\.$/, '')}.`;
