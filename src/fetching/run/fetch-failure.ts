import { OutgoingRequestError } from '../../platform/http/outgoing-request-error.js';
import { FetchFailure, type FetchFailureCode, NoWorker } from '../fetcher.js';

const CODES: Partial<Record<OutgoingRequestError['code'], FetchFailureCode>> = {
  INVALID_URL: 'INVALID_COMMAND',
  ADDRESS_REFUSED: 'INVALID_COMMAND',
  TOO_LARGE: 'INVALID_CONTENT',
  TIMEOUT: 'TIMEOUT_ERROR',
  TOO_MANY_REDIRECTS: 'NETWORK_ERROR',
  NETWORK_ERROR: 'NETWORK_ERROR',
  HOST_BACKING_OFF: 'RATE_LIMITED',
};

/**
 * Connection and DNS errors. Other errors, such as an invalid certificate or encoding, do not go away within seconds.
 */
const RETRYABLE_SYSTEM_CODES: ReadonlySet<unknown> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
  'UND_ERR_SOCKET',
]);

/** Converts an error into a failure that followers may read. Returns undefined for internal errors. */
export function failureOf(error: unknown): FetchFailure | undefined {
  if (error instanceof FetchFailure) return error;
  if (!(error instanceof OutgoingRequestError)) return undefined;
  const code = CODES[error.code];
  return code && new FetchFailure(code, error.message, { cause: error, until: error.until, retryable: mayPass(error) });
}

/** Returns whether the same request may succeed seconds later. */
function mayPass({ code, cause }: OutgoingRequestError): boolean {
  if (code === 'TIMEOUT') return true;
  if (code !== 'NETWORK_ERROR') return false;
  // A host name without an address is reported without a system error as its cause.
  return cause === undefined || (cause instanceof Error && 'code' in cause && RETRYABLE_SYSTEM_CODES.has(cause.code));
}

/**
 * Returns whether the host was closed or busy because of others: no request was sent and the source is not at fault.
 */
export function isHostsFault(error: unknown): error is OutgoingRequestError {
  return isHostBusy(error) || (error instanceof OutgoingRequestError && error.code === 'HOST_BACKING_OFF');
}

/** Returns whether the wait for a slot of the host took too long. */
function isHostBusy(error: unknown): error is OutgoingRequestError {
  return error instanceof OutgoingRequestError && error.code === 'HOST_BUSY';
}

/** Returns whether no request was sent, because the host was busy or no worker was available. */
export const noRequestSent = (error: unknown) => isHostBusy(error) || error instanceof NoWorker;
