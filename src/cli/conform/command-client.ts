import { type Channel, Connection } from 'rabbitmq-client';
import { withRawBodies } from '../../platform/broker/raw-bodies.js';
import { withTimeout } from '../../platform/time/with-timeout.js';
import { UsageError } from '../command.js';
import { Breach } from './breach.js';

const DEFAULT_PORTS: Record<string, string> = { 'amqp:': '5672', 'amqps:': '5671' };

/** The codes with which RabbitMQ refuses a user, password or virtual host. */
const REFUSALS = ['ACCESS_REFUSED', 'NOT_ALLOWED'];

const REPLY_TO = 'amq.rabbitmq.reply-to';
const CONNECT_TIMEOUT_MS = 5_000;
const CONNECTION = { connectionName: 'millrace conform', noDelay: true, heartbeat: 10, frameMax: 131_072 };

interface Address {
  url: string;
  exchange: string;
  queue: string;
}

interface OutgoingCommand {
  /** The correlation id. */
  id: string;
  body: object | Uint8Array;
  /** RabbitMQ removes the message from the queue after this time. */
  expiresInMs: number;
}

export interface Reply {
  correlationId: string | undefined;
  body: Uint8Array;
  /** The time of arrival, by the clock of this machine. */
  at: number;
}

/** Sends commands like the engine does, and keeps every reply until it is taken. */
export class CommandClient {
  private readonly replies: Reply[] = [];
  private readonly sent = new Set<string>();
  private readonly listeners = new Set<() => void>();
  private error: Error | undefined;

  private constructor(
    private readonly address: Address,
    private readonly connection: Connection,
    private readonly channel: Channel,
  ) {
    channel.on('basic.return', () => this.fail(this.unroutable()));
    channel.on('error', (error) => this.fail(cannotReach(address.url, error)));
    channel.once('close', () => this.fail(lostConnection(address.url)));
  }

  static async open(address: Address): Promise<CommandClient> {
    const { url } = address;
    const connection = new Connection({
      url,
      ...CONNECTION,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      acquireTimeout: CONNECT_TIMEOUT_MS,
    });
    const failed = new Promise<never>((_, reject) => connection.on('error', reject));
    try {
      const channel = await Promise.race([connection.acquire({ emitErrorsFromChannel: true }), failed]);
      const client = new CommandClient(address, connection, withRawBodies(channel));
      await channel.basicConsume({ queue: REPLY_TO, noAck: true }, ({ correlationId, body }) => {
        client.receive({ correlationId, body, at: Date.now() });
      });
      return client;
    } catch (error) {
      connection.unsafeDestroy();
      throw cannotReach(url, error);
    }
  }

  hasSent(id: string | undefined): boolean {
    return id !== undefined && this.sent.has(id);
  }

  send({ id, body, expiresInMs }: OutgoingCommand): void {
    const { exchange, queue } = this.address;
    this.sent.add(id);
    const envelope = {
      exchange,
      routingKey: queue,
      mandatory: true,
      replyTo: REPLY_TO,
      correlationId: id,
      messageId: id,
      expiration: String(expiresInMs),
      contentType: 'application/json',
      appId: 'millrace',
    };
    const bytes = body instanceof Uint8Array ? body : JSON.stringify(body);
    this.channel.basicPublish(envelope, Buffer.from(bytes)).catch(() => this.fail(lostConnection(this.address.url)));
  }

  /** Takes the first reply that matches, or returns undefined if none arrives in time. */
  async take(matches: (reply: Reply) => boolean, ms: number): Promise<Reply | undefined> {
    const until = Date.now() + ms;
    for (;;) {
      const index = this.replies.findIndex(matches);
      if (index >= 0) return this.replies.splice(index, 1)[0];
      if (this.error) throw this.error;
      const remaining = until - Date.now();
      if (remaining <= 0) return undefined;
      await this.nextReply(remaining);
    }
  }

  /** Returns undefined if the queue does not exist. */
  async queueInfo(): Promise<{ messages: number; consumers: number } | undefined> {
    const declared = await this.lookUp((channel) => channel.queueDeclare({ queue: this.address.queue, passive: true }));
    return declared && { messages: declared.messageCount, consumers: declared.consumerCount };
  }

  async hasExchange(): Promise<boolean> {
    const { exchange } = this.address;
    return (
      (await this.lookUp(async (channel) => {
        await channel.exchangeDeclare({ exchange, passive: true });
        return true;
      })) ?? false
    );
  }

  async close(): Promise<void> {
    const closed = this.channel.close().then(() => this.connection.close());
    await withTimeout(closed, 1_000).catch(() => undefined);
    this.connection.unsafeDestroy();
  }

  /** Uses a channel of its own, because RabbitMQ closes it if a queue or exchange does not exist. */
  private async lookUp<T>(look: (channel: Channel) => Promise<T>): Promise<T | undefined> {
    if (this.error) throw this.error;
    try {
      const channel = await this.connection.acquire({ emitErrorsFromChannel: true });
      // The pending call fails with the same error.
      channel.on('error', () => undefined);
      return await look(channel).finally(() => channel.close());
    } catch (error) {
      if ((error as { code?: unknown }).code === 'NOT_FOUND') return undefined;
      throw cannotReach(this.address.url, error);
    }
  }

  private unroutable(): Breach {
    const { exchange, queue } = this.address;
    return new Breach(`RabbitMQ returned the command: ${queue} is not bound to the exchange ${exchange} by its name`);
  }

  private receive(reply: Reply): void {
    this.replies.push(reply);
    this.notify();
  }

  private fail(error: Error): void {
    this.error ??= error;
    this.notify();
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }

  private nextReply(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.listeners.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.listeners.add(done);
    });
  }
}

/** Leaves out user and password. */
function hostOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname || 'localhost'}:${port || DEFAULT_PORTS[protocol]}`;
}

function cannotReach(url: string, cause: unknown): UsageError {
  const { code, message } = cause as { code?: string; message?: string };
  return REFUSALS.includes(String(code))
    ? new UsageError(`RabbitMQ at ${hostOf(url)} refused the user, password or virtual host: ${reasonIn(message)}`)
    : new UsageError(`Could not reach RabbitMQ at ${hostOf(url)} (${message || code}). Is it running?`);
}

/** Removes the name of the AMQP method that the library puts in front. */
const reasonIn = (message = '') => message.replace(/^\w+: /, '');

const lostConnection = (url: string) =>
  new UsageError(`Lost the connection to RabbitMQ at ${hostOf(url)}. The worker cannot be probed any further.`);
