export type OutgoingRequestCode =
  | 'INVALID_URL'
  | 'ADDRESS_REFUSED'
  | 'TOO_LARGE'
  | 'TIMEOUT'
  | 'TOO_MANY_REDIRECTS'
  | 'NETWORK_ERROR'
  | 'HOST_BACKING_OFF'
  | 'HOST_BUSY';

interface OutgoingRequestDetails {
  cause?: unknown;
  until?: Date;
}

/** With INVALID_URL, ADDRESS_REFUSED or HOST_… nothing was sent. */
export class OutgoingRequestError extends Error {
  override readonly name = 'OutgoingRequestError';
  readonly until: Date | undefined;

  constructor(
    readonly code: OutgoingRequestCode,
    message: string,
    { cause, until }: OutgoingRequestDetails = {},
  ) {
    super(message, { cause });
    this.until = until;
  }
}

/** A fault in code that does not know the host. The message continues a sentence that begins with the host. */
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

/** The system may give up connecting (ETIMEDOUT) before our own timeout. */
const TIMED_OUT: Record<string, string> = {
  UND_ERR_CONNECT_TIMEOUT: 'did not take the connection in time',
  ETIMEDOUT: 'did not take the connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'did not begin to answer in time',
  UND_ERR_BODY_TIMEOUT: 'stopped sending in the middle of its answer',
};

export function toRequestFault(error: unknown): RequestFault {
  if (error instanceof RequestFault) return error;
  const { code, message } = describe(error);
  const timedOut = TIMED_OUT[code];
  if (timedOut) return new RequestFault('TIMEOUT', timedOut, { cause: error });
  return new RequestFault('NETWORK_ERROR', `could not be read: ${message || code}`, { cause: error });
}

/** System messages end with the resolved address, which may be internal: only the log shows the cause. */
function describe(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const call = 'syscall' in error && typeof error.syscall === 'string' ? error.syscall : '';
  return { code, message: call && code ? `${call} ${code}` : error.message };
}
