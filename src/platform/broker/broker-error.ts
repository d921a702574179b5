export type BrokerErrorCode =
  | 'NOT_CONFIGURED'
  | 'UNREACHABLE'
  /** No queue accepts the message. */
  | 'NO_QUEUE'
  /** The queue exists but has no consumer. */
  | 'NO_WORKER'
  /** There is a consumer, but it did not answer in time. */
  | 'NO_ANSWER'
  | 'ANSWER_TOO_LARGE';

/** A message was not delivered or not answered. */
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
