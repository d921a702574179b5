import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, Consumer } from 'rabbitmq-client';
import type { Log } from '../log/log.js';
import { type RawMessage, toRawMessage } from './raw-bodies.js';
import { within } from './with-timeout.js';

/** Fails only when what it needs is away: it is called again with the same message, after a pause. */
export type HandleMessage = (message: RawMessage) => Promise<void>;

interface Wanted {
  queue: string;
  prefetch: number;
  handle: HandleMessage;
  interrupted: () => void;
  log: Log;
}

/** For what is being handled to end, and for RabbitMQ to answer. What is not acknowledged then is given to another. */
const STOP_MS = 5_000;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

/**
 * Messages of a queue, each to one process, acknowledged after they were handled. While handling fails the message is kept
 * here and not given back, so that RabbitMQ does not count it as delivered over and over.
 */
export class QueueConsumer {
  private readonly consumer: Consumer;
  private readonly stopping = new AbortController();
  private readonly stopped = this.stopping.signal;

  constructor(
    /** Of raw channels. */
    connection: Connection,
    private readonly wanted: Wanted,
  ) {
    const { queue, prefetch, interrupted, log } = wanted;
    this.consumer = connection.createConsumer(
      // Whoever needs the queue declares it, with its arguments.
      {
        queue,
        queueOptions: { passive: true },
        qos: { prefetchCount: prefetch },
        concurrency: prefetch,
        requeue: true,
      },
      (message) => this.handle(toRawMessage(message)),
    );
    this.consumer.on('ready', () => log.debug({ queue }, 'consuming'));
    this.consumer.on('error', (error) => {
      // A connection that is lost was told about, and is tried again without us.
      if (this.stopped.aborted || !connection.ready) return;
      const isMissing = (error as { code?: unknown }).code === 'NOT_FOUND';
      if (isMissing) log.info({ queue }, 'waiting for the queue to be there');
      else log.warn({ queue, err: error }, 'consuming was interrupted');
      interrupted();
    });
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await within(STOP_MS, this.consumer.close()).catch(() => undefined);
  }

  private async handle(message: RawMessage): Promise<void> {
    const { queue, handle, log } = this.wanted;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      try {
        return await handle(message);
      } catch (error) {
        log.warn({ queue, messageId: message.messageId, err: error }, 'a message could not be handled yet');
        // Throws when Millrace stops: the message goes back to the queue.
        await sleep(pause, undefined, { signal: this.stopped });
      }
    }
  }
}
