export type BrokerErrorCode =
  | 'NOT_CONFIGURED'
  | 'UNREACHABLE'
  | 'NO_QUEUE'
  | 'NO_WORKER'
  | 'NO_ANSWER'
  | 'ANSWER_TOO_LARGE';

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
