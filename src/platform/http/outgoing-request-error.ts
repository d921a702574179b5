const OUTGOING_REQUEST_CODES = [
  'INVALID_URL',
  'ADDRESS_REFUSED',
  'TOO_LARGE',
  'TIMEOUT',
  'TOO_MANY_REDIRECTS',
  'NETWORK_ERROR',
  'HOST_BACKING_OFF',
  'HOST_BUSY',
] as const;
export type OutgoingRequestCode = (typeof OUTGOING_REQUEST_CODES)[number];

export interface OutgoingRequestDetails {
  cause?: unknown;
  /** With HOST_BACKING_OFF, and with HOST_BUSY where the host has a limit or its name is not resolved yet: when to ask again. */
  until?: Date;
}

/** Why no response came back. The host in the message was sent nothing if the code is INVALID_URL, ADDRESS_REFUSED or HOST_…. */
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
