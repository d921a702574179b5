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
  /**
   * When to retry. It is set for HOST_BACKING_OFF, and for HOST_BUSY if the host has a rate limit or its name is not
   * resolved yet.
   */
  until?: Date;
}

/**
 * A request failed without a response. With INVALID_URL, ADDRESS_REFUSED or HOST_… nothing was sent to the host in the
 * message.
 */
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
