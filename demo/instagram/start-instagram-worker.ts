import { Connection } from 'rabbitmq-client';
import { fetchQueue } from '../../contracts/queues.js';
import type { Log } from '../../platform/log/log.js';
import { answerCommand } from './answer-command.js';
import { askInstagram } from './ask-instagram.js';

export interface InstagramWorker {
  /** Answers the command that it works on, and takes no other. */
  stop(): Promise<void>;
}

interface Surroundings {
  brokerUrl: string;
  instagramUrl: string;
  log: Pick<Log, 'info' | 'warn'>;
}

/**
 * A worker as docs/workers.md asks for: it takes one command at a time, answers it always, and acknowledges it then. If it dies
 * before, RabbitMQ gives the command to another. Nothing is declared and nothing kept here.
 */
export function startInstagramWorker({ brokerUrl, instagramUrl, log }: Surroundings): InstagramWorker {
  // Both of them connect again by themselves, as soon as the queue is there.
  const connection = new Connection({ url: brokerUrl, noDelay: true, retryLow: 250, retryHigh: 2_000 });
  const queue = { queue: fetchQueue('instagram'), queueOptions: { passive: true }, qos: { prefetchCount: 1 } };
  const consumer = connection.createConsumer(queue, async ({ body, correlationId = '', replyTo }, reply) => {
    // To whom? Returning acknowledges the command.
    if (!replyTo) return;
    const answer = await answerCommand({ body, correlationId }, (command, signal) =>
      askInstagram(instagramUrl, command, signal),
    );
    if (!answer) return;
    await reply(answer);
    log.info({ jobId: answer.jobId, status: answer.status, ms: answer.processingTime }, 'a command was answered');
  });

  connection.on('error', ({ message }) => log.warn(`RabbitMQ cannot be reached, trying on: ${message}`));
  consumer.on('error', ({ message }) => log.warn(`No commands can be taken, trying on: ${message}`));
  consumer.on('ready', () => log.info('Waiting for commands'));
  return {
    stop: async () => {
      // While the broker is away there is nothing to end but the trying.
      if (!connection.ready) return connection.unsafeDestroy();
      // One that goes away meanwhile gives the command that was not answered to another worker.
      await consumer.close().catch(({ message }) => log.warn(`RabbitMQ is gone: ${message}`));
      await connection.close();
    },
  };
}
