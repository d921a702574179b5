import {
  type OutgoingRequestCode,
  type OutgoingRequestDetails,
  OutgoingRequestError,
} from './outgoing-request-error.js';

/** What went wrong, said by code that does not know where: the message continues a sentence that begins with the host. */
export class RequestFault extends Error {
  override readonly name = 'RequestFault';

  constructor(
    readonly code: OutgoingRequestCode,
    message: string,
    readonly details: OutgoingRequestDetails = {},
  ) {
    super(message);
  }

  at(label: string): OutgoingRequestError {
    return new OutgoingRequestError(this.code, `${label} ${this.message}`, this.details);
  }
}

/** The system may give up connecting (ETIMEDOUT) before we do. */
const TIMED_OUT: Record<string, string> = {
  UND_ERR_CONNECT_TIMEOUT: 'did not take the connection in time',
  ETIMEDOUT: 'did not take the connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'did not begin to answer in time',
  UND_ERR_BODY_TIMEOUT: 'stopped sending in the middle of its answer',
};

/** Names what the network, the HTTP client or a decoder threw. */
export function toRequestFault(error: unknown): RequestFault {
  if (error instanceof RequestFault) return error;
  const { code, message } = describe(error);
  const timedOut = TIMED_OUT[code];
  if (timedOut) return new RequestFault('TIMEOUT', timedOut, { cause: error });
  return new RequestFault('NETWORK_ERROR', `could not be read: ${message || code}`, { cause: error });
}

/**
 * A connection tried over several addresses fails with an AggregateError that has a code and no message. Messages of the
 * system end with the address that a name resolved to: it may be internal, so it is left to the cause, which only the log shows.
 */
function describe(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const call = 'syscall' in error && typeof error.syscall === 'string' ? error.syscall : '';
  return { code, message: call && code ? `${call} ${code}` : error.message };
}
