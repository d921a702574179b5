import { type AsyncMessage, type Channel, Connection, type Envelope } from 'rabbitmq-client';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Topology } from '../../src/contracts/topology.js';

const REPLY_TO = 'amq.rabbitmq.reply-to';
const WAIT_OPTIONS = { timeout: 20_000, interval: 20 };

/** Takes Millrace's place at the broker: declares the queues, sends commands, keeps replies in order. */
export class Caller {
  readonly answers: AsyncMessage[] = [];
  private connection: Connection | undefined;
  private channel: Channel | undefined;

  constructor(url: string, topology: Topology) {
    beforeAll(async () => {
      this.connection = new Connection({ url, noDelay: true });
      this.channel = await this.connection.acquire();
      await declare(this.channel, topology);
      await this.channel.basicConsume({ queue: REPLY_TO, noAck: true }, (message) => void this.answers.push(message));
    });
    afterAll(() => this.connection?.unsafeDestroy());
  }

  /** Returns the only reply to the command with this id. */
  async call(queue: string, id: string, body: unknown): Promise<unknown> {
    await this.ask(queue, id, body);
    await expect.poll(() => this.answersTo(id), WAIT_OPTIONS).toHaveLength(1);
    return this.answersTo(id)[0]?.body;
  }

  /** Does not wait for the reply. */
  async ask(queue: string, id: string, body: unknown): Promise<void> {
    await this.send({ routingKey: queue, correlationId: id, replyTo: REPLY_TO }, body);
  }

  /** Text is sent as it is. The content type is JSON in both cases. */
  async send(envelope: Envelope, body: unknown): Promise<void> {
    const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    await this.opened().basicPublish({ contentType: 'application/json', ...envelope }, bytes);
  }

  /** Returns the number of messages that are ready in the queue, without unacknowledged ones. */
  async waiting(queue: string): Promise<number> {
    return (await this.opened().queueDeclare({ queue, passive: true })).messageCount;
  }

  async take(queue: string): Promise<unknown> {
    return (await this.opened().basicGet({ queue, noAck: true }))?.body;
  }

  answersTo(id: string): AsyncMessage[] {
    return this.answers.filter(({ correlationId }) => correlationId === id);
  }

  private opened(): Channel {
    if (!this.channel) throw new Error('the caller is ready inside tests and hooks');
    return this.channel;
  }
}

async function declare(channel: Channel, { exchanges, queues }: Topology): Promise<void> {
  for (const exchange of exchanges) await channel.exchangeDeclare({ exchange, type: 'direct', durable: true });
  for (const { name, exchange, arguments: given } of queues) {
    await channel.queueDeclare({ queue: name, durable: true, arguments: given });
    await channel.queueBind({ queue: name, exchange, routingKey: name });
  }
}
