import { type AsyncMessage, type Channel, Connection } from 'rabbitmq-client';
import { onTestFinished } from 'vitest';
import type { FetchCommand } from '../../src/contracts/fetch-command.js';
import { answering, remotePost } from './made-answers.js';

/** The body of a reply: a value as JSON, bytes as they are, or no reply. */
export type Answer = (command: FetchCommand, message: AsyncMessage) => unknown;

/** A worker inside the test whose answers, valid or not, the test chooses. */
export class TestWorker {
  readonly commands: FetchCommand[] = [];
  readonly messages: AsyncMessage[] = [];
  private readonly connection: Connection;
  private channel: Channel | undefined;
  private stopped = false;

  private constructor(
    url: string,
    private readonly answer: Answer,
  ) {
    this.connection = new Connection({ url, noDelay: true, retryLow: 100, retryHigh: 500 });
    this.connection.on('error', () => undefined);
  }

  /** Waits until the queue exists. */
  static async on(url: string, queue: string, answer: Answer = onePage): Promise<TestWorker> {
    const worker = new TestWorker(url, answer);
    onTestFinished(() => worker.stop());
    worker.channel = await worker.consume(queue);
    return worker;
  }

  async reply({ replyTo, correlationId = '' }: AsyncMessage, body: unknown): Promise<void> {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
    const envelope = { routingKey: replyTo ?? '', correlationId, contentType: 'application/json' };
    await this.channel?.basicPublish(envelope, bytes);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.connection.unsafeDestroy();
  }

  private async consume(queue: string): Promise<Channel> {
    for (;;) {
      const channel = await this.connection.acquire({ emitErrorsFromChannel: true });
      channel.on('error', () => undefined);
      try {
        await channel.queueDeclare({ queue, passive: true });
        await channel.basicConsume({ queue }, (message) => this.handle(channel, message));
        return channel;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  private async handle(channel: Channel, message: AsyncMessage): Promise<void> {
    this.messages.push(message);
    this.commands.push(message.body);
    const answer = await this.answer(message.body, message);
    try {
      if (answer !== undefined) await this.reply(message, answer);
      channel.basicAck({ deliveryTag: message.deliveryTag });
    } catch (error) {
      // A slow worker may still be running when its test has ended.
      if (!this.stopped) throw error;
    }
  }
}

function onePage(command: FetchCommand) {
  return answering(command, { data: { posts: [remotePost(`${command.externalId}-1`)], hasMore: false } });
}
