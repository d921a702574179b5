const CODES = {
  CONNECTION_FORCED: 320,
  ACCESS_REFUSED: 403,
  NOT_FOUND: 404,
  RESOURCE_LOCKED: 405,
  PRECONDITION_FAILED: 406,
  FRAME_ERROR: 501,
  SYNTAX_ERROR: 502,
  COMMAND_INVALID: 503,
  CHANNEL_ERROR: 504,
  UNEXPECTED_FRAME: 505,
  NOT_ALLOWED: 530,
  NOT_IMPLEMENTED: 540,
  INTERNAL_ERROR: 541,
} as const;
const ENDS_THE_CHANNEL: ReadonlySet<string> = new Set([
  'ACCESS_REFUSED',
  'NOT_FOUND',
  'RESOURCE_LOCKED',
  'PRECONDITION_FAILED',
]);

/** Ends the channel that it happens on, or the whole connection, and tells the client why in RabbitMQ's words. */
export class AmqpFault extends Error {
  readonly replyCode: number;
  readonly endsConnection: boolean;

  constructor(name: keyof typeof CODES, reason: string) {
    super(`${name} - ${reason}`);
    this.replyCode = CODES[name];
    this.endsConnection = !ENDS_THE_CHANNEL.has(name);
  }
}

/** Most are the client's; whatever else went wrong here is not hidden from it. */
export function asFault(error: unknown): AmqpFault {
  if (error instanceof AmqpFault) return error;
  if (error instanceof RangeError) return new AmqpFault('SYNTAX_ERROR', error.message);
  return new AmqpFault('INTERNAL_ERROR', String(error));
}
