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

/** Errors of the connection or the name server. Others, such as a wrong certificate or a broken encoding, stay as they are. */
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

/** What went wrong as something that the source's followers can be told. Other errors are mistakes of ours: undefined. */
export function failureOf(error: unknown): FetchFailure | undefined {
  if (error instanceof FetchFailure) return error;
  if (!(error instanceof OutgoingRequestError)) return undefined;
  const code = CODES[error.code];
  return code && new FetchFailure(code, error.message, { cause: error, until: error.until, retryable: mayPass(error) });
}

/** Whether the same request may succeed seconds later. */
function mayPass({ code, cause }: OutgoingRequestError): boolean {
  if (code === 'TIMEOUT') return true;
  if (code !== 'NETWORK_ERROR') return false;
  // A name without an address has no error of the system as its cause.
  return cause === undefined || (cause instanceof Error && 'code' in cause && RETRYABLE_SYSTEM_CODES.has(cause.code));
}

/** The host was closed or busy because of others: nothing was asked, and the source is not to blame. */
export function isHostsFault(error: unknown): error is OutgoingRequestError {
  return isHostBusy(error) || (error instanceof OutgoingRequestError && error.code === 'HOST_BACKING_OFF');
}

/** Others were in line before us for too long. */
function isHostBusy(error: unknown): error is OutgoingRequestError {
  return error instanceof OutgoingRequestError && error.code === 'HOST_BUSY';
}

/** It could not be asked just now. */
export const isUnasked = (error: unknown) => isHostBusy(error) || error instanceof NoWorker;
