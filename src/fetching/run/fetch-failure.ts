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

/** Other errors, such as an invalid certificate or encoding, do not go away within seconds. */
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

/** Followers may read the failure. Undefined: the error is internal. */
export function failureOf(error: unknown): FetchFailure | undefined {
  if (error instanceof FetchFailure) return error;
  if (!(error instanceof OutgoingRequestError)) return undefined;
  const code = CODES[error.code];
  return code && new FetchFailure(code, error.message, { cause: error, until: error.until, retryable: mayPass(error) });
}

function mayPass({ code, cause }: OutgoingRequestError): boolean {
  if (code === 'TIMEOUT') return true;
  if (code !== 'NETWORK_ERROR') return false;
  // A host name without an address is reported without a system error as its cause.
  return cause === undefined || (cause instanceof Error && 'code' in cause && RETRYABLE_SYSTEM_CODES.has(cause.code));
}

/** The host was closed or busy because of others, so no request was sent and the source is not at fault. */
export function isHostsFault(error: unknown): error is OutgoingRequestError {
  return isHostBusy(error) || (error instanceof OutgoingRequestError && error.code === 'HOST_BACKING_OFF');
}

function isHostBusy(error: unknown): error is OutgoingRequestError {
  return error instanceof OutgoingRequestError && error.code === 'HOST_BUSY';
}

export const noRequestSent = (error: unknown) => isHostBusy(error) || error instanceof NoWorker;
