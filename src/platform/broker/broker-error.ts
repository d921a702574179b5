export type BrokerErrorCode =
  | 'NOT_CONFIGURED'
  | 'UNREACHABLE'
  /** Nothing takes the message. */
  | 'NO_QUEUE'
  /** There is a queue, and nobody consumes from it. */
  | 'NO_WORKER'
  /** Somebody consumes, and did not answer in time. */
  | 'NO_ANSWER'
  | 'ANSWER_TOO_LARGE';

/** Why a message was not carried or not answered. */
export class BrokerError extends Error {
  override readonly name = 'BrokerError';

  constructor(
    readonly code: BrokerErrorCode,
    message: string,
    { cause }: { cause?: unknown } = {},
  ) {
    super(message, { cause });
  }
}

export const lostBroker = (cause?: unknown) =>
  new BrokerError('UNREACHABLE', 'RabbitMQ cannot be reached at the moment', { cause });
