import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { type Channel, Connection, type Envelope, type Publisher } from 'rabbitmq-client';
import { CONFIG, type Config } from '../config.js';
import { LOG, type Log } from '../log/log.js';
import { ServerConnection } from '../log/server-connection.js';
import { withTimeout } from '../time/with-timeout.js';
import { BrokerError, lostBroker } from './broker-error.js';
import { type HandleMessage, QueueConsumer } from './queue-consumer.js';
import { withRawChannels } from './raw-bodies.js';

const TIMEOUT_MS = 5_000;
/** Heartbeat interval in seconds. A connection that misses two heartbeats is dead. */
const HEARTBEAT = 10;
const RECONNECT = { retryLow: 500, retryHigh: 5_000 };
const FRAME_BYTES = 131_072;
/** Identifies a publication. Message ids belong to the senders, who may use one twice. */
const PUBLICATION = 'x-millrace-publication';

@Injectable()
export class Broker implements OnModuleDestroy, OnApplicationShutdown {
  private connection: Connection | undefined;
  private publisher: Publisher | undefined;
  private readonly consumers: QueueConsumer[] = [];
  private readonly returned = new Set<unknown>();
  private publications = 0;
  private interrupted: () => void = () => undefined;
  /** RabbitMQ accepts nothing while it is blocked, not even a passive declaration. */
  private isBlocked = false;
  private readonly server: ServerConnection;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
  ) {
    this.server = new ServerConnection('RabbitMQ', log);
  }

  get isConfigured(): boolean {
    return this.config.rabbitmqUrl !== undefined;
  }

  get exchange(): string {
    return this.config.rabbitmqExchange;
  }

  onConnection(back: () => void): void {
    const connection = this.open();
    connection.on('connection', back);
    if (connection.ready) back();
  }

  /** Opens a channel that the caller has to close. Fails with UNREACHABLE after a few seconds. */
  async channel(): Promise<Channel> {
    const connection = this.open();
    if (this.isBlocked) throw lostBroker(new Error('it takes no messages'));
    const acquiring = connection.acquire({ emitErrorsFromChannel: true });
    try {
      const channel = await withTimeout(acquiring, TIMEOUT_MS);
      // An error that closes a channel also fails the calls that wait on it, so they report it.
      channel.on('error', () => undefined);
      return channel;
    } catch (error) {
      acquiring.then(
        (late) => late.close(),
        () => undefined,
      );
      throw lostBroker(error);
    }
  }

  async ping(): Promise<void> {
    await (await this.channel()).close();
  }

  async publish(envelope: Envelope, body: unknown): Promise<void> {
    this.publisher ??= this.createPublisher();
    const publication = ++this.publications;
    const headers = { ...envelope.headers, [PUBLICATION]: publication };
    try {
      await this.publisher.send({ durable: true, ...envelope, headers, mandatory: true }, body);
    } catch (error) {
      this.returned.delete(publication);
      throw lostBroker(error);
    }
    // A message that no queue accepts is returned and then confirmed. The library reports the return one turn later.
    await nextTurn();
    if (this.returned.delete(publication))
      throw new BrokerError('NO_QUEUE', `no queue takes ${envelope.exchange || 'messages to'} ${envelope.routingKey}`);
  }

  /** Consumes messages, `prefetch` at a time. A message is acknowledged when `handle` has returned. */
  consume(queue: string, prefetch: number, handle: HandleMessage): void {
    const { log } = this;
    const interrupted = () => this.interrupted();
    const consumer = new QueueConsumer(withRawChannels(this.open()), { queue, prefetch, handle, interrupted, log });
    this.consumers.push(consumer);
  }

  onInterruption(repair: () => void): void {
    this.interrupted = repair;
  }

  private open(): Connection {
    if (this.connection) return this.connection;
    const { rabbitmqUrl: url } = this.config;
    if (!url) throw new BrokerError('NOT_CONFIGURED', 'RABBITMQ_URL is not set');
    const connection = new Connection({
      url,
      connectionName: 'millrace',
      noDelay: true,
      heartbeat: HEARTBEAT,
      frameMax: FRAME_BYTES,
      acquireTimeout: TIMEOUT_MS,
      connectionTimeout: TIMEOUT_MS,
      ...RECONNECT,
    });
    this.listen(connection);
    // Each consumer and channel adds a listener, and there may be many.
    connection.setMaxListeners(0);
    this.connection = connection;
    return connection;
  }

  private listen(connection: Connection): void {
    const blocked = (isBlocked: boolean) => {
      this.isBlocked = isBlocked;
    };
    connection.on('connection', () => {
      blocked(false);
      this.server.restored();
      this.log.info({ event: 'broker_connected' }, 'Connected to RabbitMQ');
    });
    connection.on('error', (error) => this.server.lost(error));
    connection.on('connection.blocked', (reason) => {
      blocked(true);
      this.log.warn({ event: 'broker_blocked', reason }, 'RabbitMQ blocked the connection and accepts no messages');
    });
    connection.on('connection.unblocked', () => {
      blocked(false);
      this.log.info({ event: 'broker_unblocked' }, 'RabbitMQ accepts messages again');
    });
  }

  private createPublisher(): Publisher {
    const publisher = this.open().createPublisher({ confirm: true });
    publisher.on('basic.return', ({ headers }) => this.returned.add(headers?.[PUBLICATION]));
    return publisher;
  }

  async onModuleDestroy() {
    await Promise.all(this.consumers.map((consumer) => consumer.stop()));
  }

  /** Runs after the last jobs have ended, which may need the connection. */
  async onApplicationShutdown() {
    this.server.close();
    this.connection?.unsafeDestroy();
  }
}
