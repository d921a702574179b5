import { type Channel, Connection } from 'rabbitmq-client';
import { withRawBodies } from '../../platform/broker/raw-bodies.js';
import { withTimeout } from '../../platform/time/with-timeout.js';
import { UsageError } from '../command.js';
import { Breach } from './breach.js';

const DEFAULT_PORTS: Record<string, string> = { 'amqp:': '5672', 'amqps:': '5671' };

/** RabbitMQ's answers to a user, password or virtual host that it does not know. */
const REFUSALS = ['ACCESS_REFUSED', 'NOT_ALLOWED'];

const REPLY_TO = 'amq.rabbitmq.reply-to';
const CONNECT_MS = 5_000;
const CONNECTION = { connectionName: 'millrace conform', noDelay: true, heartbeat: 10, frameMax: 131_072 };

interface Place {
  url: string;
  exchange: string;
  queue: string;
}

interface Sent {
  /** The correlation id. */
  id: string;
  body: object | Uint8Array;
  /** Afterwards RabbitMQ takes the message out of the queue. */
  expiresInMs: number;
}

export interface Reply {
  correlationId: string | undefined;
  body: Uint8Array;
  /** When it came, by this machine's clock. */
  at: number;
}

/** Sends commands as the engine does, and keeps every reply until somebody takes it. */
export class WorkerLine {
  private readonly replies: Reply[] = [];
  private readonly sent = new Set<string>();
  private readonly listeners = new Set<() => void>();
  private trouble: Error | undefined;

  private constructor(
    private readonly place: Place,
    private readonly connection: Connection,
    private readonly channel: Channel,
  ) {
    channel.on('basic.return', () => this.fail(this.nothingTakesIt()));
    channel.on('error', (error) => this.fail(cannotReach(place.url, error)));
    channel.once('close', () => this.fail(lostConnection(place.url)));
  }

  static async open(place: Place): Promise<WorkerLine> {
    const { url } = place;
    const connection = new Connection({
      url,
      ...CONNECTION,
      connectionTimeout: CONNECT_MS,
      acquireTimeout: CONNECT_MS,
    });
    const failed = new Promise<never>((_, reject) => connection.on('error', reject));
    try {
      const channel = await Promise.race([connection.acquire({ emitErrorsFromChannel: true }), failed]);
      const line = new WorkerLine(place, connection, withRawBodies(channel));
      await channel.basicConsume({ queue: REPLY_TO, noAck: true }, ({ correlationId, body }) => {
        line.hear({ correlationId, body, at: Date.now() });
      });
      return line;
    } catch (error) {
      connection.unsafeDestroy();
      throw cannotReach(url, error);
    }
  }

  /** Whether a command of this line has that id. */
  isMine(id: string | undefined): boolean {
    return id !== undefined && this.sent.has(id);
  }

  send({ id, body, expiresInMs }: Sent): void {
    const { exchange, queue } = this.place;
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
    this.channel.basicPublish(envelope, Buffer.from(bytes)).catch(() => this.fail(lostConnection(this.place.url)));
  }

  /** The first reply that matches and was not taken yet; undefined if none comes in time. */
  async take(matches: (reply: Reply) => boolean, ms: number): Promise<Reply | undefined> {
    const until = Date.now() + ms;
    for (;;) {
      const index = this.replies.findIndex(matches);
      if (index >= 0) return this.replies.splice(index, 1)[0];
      if (this.trouble) throw this.trouble;
      const left = until - Date.now();
      if (left <= 0) return undefined;
      await this.news(left);
    }
  }

  /** Undefined if there is no such queue. */
  async queueInfo(): Promise<{ messages: number; consumers: number } | undefined> {
    const declared = await this.lookUp((channel) => channel.queueDeclare({ queue: this.place.queue, passive: true }));
    return declared && { messages: declared.messageCount, consumers: declared.consumerCount };
  }

  async hasExchange(): Promise<boolean> {
    const { exchange } = this.place;
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

  /** On a channel of its own, because RabbitMQ closes it when there is no such thing. */
  private async lookUp<T>(look: (channel: Channel) => Promise<T>): Promise<T | undefined> {
    if (this.trouble) throw this.trouble;
    try {
      const channel = await this.connection.acquire({ emitErrorsFromChannel: true });
      // The call that waits on it fails, too, and tells.
      channel.on('error', () => undefined);
      return await look(channel).finally(() => channel.close());
    } catch (error) {
      if ((error as { code?: unknown }).code === 'NOT_FOUND') return undefined;
      throw cannotReach(this.place.url, error);
    }
  }

  private nothingTakesIt(): Breach {
    const { exchange, queue } = this.place;
    return new Breach(`RabbitMQ returned the command: ${queue} is not bound to the exchange ${exchange} by its name`);
  }

  private hear(reply: Reply): void {
    this.replies.push(reply);
    this.tellListeners();
  }

  private fail(trouble: Error): void {
    this.trouble ??= trouble;
    this.tellListeners();
  }

  private tellListeners(): void {
    for (const listener of this.listeners) listener();
  }

  private news(ms: number): Promise<void> {
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

/** Where RabbitMQ is, without who we are there. */
function placeOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname || 'localhost'}:${port || DEFAULT_PORTS[protocol]}`;
}

function cannotReach(url: string, cause: unknown): UsageError {
  const { code, message } = cause as { code?: string; message?: string };
  return REFUSALS.includes(String(code))
    ? new UsageError(`RabbitMQ at ${placeOf(url)} refuses the user, password or virtual host: ${inItsWords(message)}`)
    : new UsageError(`cannot reach RabbitMQ at ${placeOf(url)}, is it running? (${message || code})`);
}

/** Without the name of the protocol's method that the library puts first, or `undefined`. */
const inItsWords = (message = '') => message.replace(/^\w+: /, '');

const lostConnection = (url: string) =>
  new UsageError(`the connection to RabbitMQ at ${placeOf(url)} was lost; nothing more can be said about the worker`);
