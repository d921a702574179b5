import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, Consumer } from 'rabbitmq-client';
import type { Log } from '../log/log.js';
import { withTimeout } from '../time/with-timeout.js';
import { traced } from '../tracing/traced.js';
import { type RawMessage, toRawMessage } from './raw-bodies.js';

/** Fails only while a dependency is unreachable. It is called again with the same message after a pause. */
export type HandleMessage = (message: RawMessage) => Promise<void>;

interface ConsumerOptions {
  queue: string;
  prefetch: number;
  handle: HandleMessage;
  interrupted: () => void;
  log: Log;
}

/** How long a stop waits (ms). Unacknowledged messages then go to another consumer. */
const STOP_MS = 5_000;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

/** While handling fails the message stays here and is not requeued, because RabbitMQ would count the deliveries. */
export class QueueConsumer {
  private readonly consumer: Consumer;
  private readonly stopping = new AbortController();
  private readonly stopped = this.stopping.signal;
  private isQueueMissing = false;

  constructor(
    connection: Connection,
    private readonly options: ConsumerOptions,
  ) {
    const { queue, prefetch, interrupted, log } = options;
    this.consumer = connection.createConsumer(
      // The feature that needs the queue declares it with its arguments.
      {
        queue,
        queueOptions: { passive: true },
        qos: { prefetchCount: prefetch },
        concurrency: prefetch,
        requeue: true,
      },
      (message) => this.handle(toRawMessage(message)),
    );
    this.consumer.on('ready', () => {
      log.debug({ event: 'consumer_ready', queue }, 'Consuming messages');
      // Somebody else may have declared the queue, which then still has to be bound.
      if (this.isQueueMissing) interrupted();
      this.isQueueMissing = false;
    });
    this.consumer.on('error', (error) => {
      // A lost connection was logged already, and the library reconnects by itself.
      if (this.stopped.aborted || !connection.ready) return;
      const isMissing = (error as { code?: unknown }).code === 'NOT_FOUND';
      if (!isMissing) log.warn({ event: 'consumer_interrupted', queue, err: error }, 'Consuming was interrupted');
      else if (!this.isQueueMissing)
        log.info({ event: 'consumer_queue_missing', queue }, 'The queue does not exist yet, waiting for it');
      this.isQueueMissing ||= isMissing;
      interrupted();
    });
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await withTimeout(this.consumer.close(), STOP_MS).catch(() => undefined);
  }

  private async handle(message: RawMessage): Promise<void> {
    const { queue, handle, log } = this.options;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      try {
        return await handle(message);
      } catch (error) {
        log.warn(
          { event: 'message_handling_failed', queue, messageId: message.messageId, err: error },
          'A message could not be handled, retrying',
        );
        // Throws when Millrace stops, and the message goes back to the queue.
        await sleep(pause, undefined, { signal: this.stopped });
      }
    }
  }
}

export function tracedMessages(queue: string, handle: HandleMessage): HandleMessage {
  return (message) => {
    const { traceparent } = message.headers ?? {};
    const cause = typeof traceparent === 'string' ? traceparent : undefined;
    return traced({ name: `receive ${queue}`, kind: 'CONSUMER', cause }, () => handle(message));
  };
}
