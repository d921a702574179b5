import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { AsyncMessage, Channel, ReturnedMessage } from 'rabbitmq-client';
import { LOG, type Log } from '../log/log.js';
import { traceparent } from '../tracing/traced.js';
import { Broker } from './broker.js';
import { BrokerError, lostBroker } from './broker-error.js';
import { Declarations } from './declarations.js';
import { MAX_ANSWER_BYTES, withRawBodies } from './raw-bodies.js';
import { RpcMetrics } from './rpc-metrics.js';
import type { Call } from './waiting-calls.js';
import { WorkerPresence } from './worker-presence.js';
import { asBrokerError, WorkerRpc } from './worker-rpc.js';

const REPLY_TO = 'amq.rabbitmq.reply-to';
const MB = 1024 * 1024;
const CHECK_INTERVAL_MS = 5_000;
/** How long calls wait for a missing worker (ms). A restarted one receives unanswered messages. */
const GRACE_MS = 15_000;

/** Direct reply-to carries thousands of calls over one channel. No reply can arrive after the connection is lost. */
@Injectable()
export class RabbitmqRpc extends WorkerRpc implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly absentSince = new Map<string, number>();
  private opening: Promise<Channel> | undefined;
  private watch: NodeJS.Timeout | undefined;

  constructor(
    @Inject(LOG) log: Log,
    private readonly broker: Broker,
    private readonly declarations: Declarations,
    private readonly presence: WorkerPresence,
    metrics: RpcMetrics,
  ) {
    super(metrics, log);
  }

  get isConfigured(): boolean {
    return this.broker.isConfigured;
  }

  onApplicationBootstrap() {
    if (this.isConfigured) this.watch = setInterval(() => void this.checkWaiting(), CHECK_INTERVAL_MS).unref();
  }

  onModuleDestroy() {
    clearInterval(this.watch);
  }

  protected async send(queue: string, message: object, { id, timeoutMs, priority, published }: Call): Promise<void> {
    const until = Date.now() + timeoutMs;
    if (!this.presence.wasSeenLately(queue)) await this.presence.check(queue);
    const channel = await this.channel();
    if (!this.waiting.has(id)) return;
    const expiration = String(Math.max(1, until - Date.now()));
    const envelope = {
      exchange: this.broker.exchange,
      routingKey: queue,
      mandatory: true,
      replyTo: REPLY_TO,
      correlationId: id,
      messageId: id,
      expiration,
      ...(priority !== undefined && { priority }),
      appId: 'millrace',
      ...traceHeaders(),
    };
    await channel.basicPublish(envelope, message);
    published?.();
  }

  private channel(): Promise<Channel> {
    this.opening ??= this.openChannel();
    return this.opening;
  }

  private async openChannel(): Promise<Channel> {
    try {
      await this.declarations.declareAll();
      const channel = withRawBodies(await this.broker.channel());
      channel.on('basic.return', (message) => this.onReturn(message));
      channel.once('close', () => this.onClose());
      await channel.basicConsume({ queue: REPLY_TO, noAck: true }, (message) => this.onReply(message));
      return channel;
    } catch (error) {
      this.opening = undefined;
      throw asBrokerError(error);
    }
  }

  private onReply({ correlationId = '', body }: AsyncMessage): void {
    const call = this.waiting.take(correlationId);
    if (!call) {
      this.drop(correlationId);
      return;
    }
    this.presence.seen(call.queue);
    const bytes: Uint8Array = body;
    if (bytes.length <= MAX_ANSWER_BYTES) call.resolve(bytes);
    else call.reject(tooLarge(bytes.length));
  }

  private drop(correlationId: string): void {
    const kind = this.waiting.wasGivenUp(correlationId) ? 'late' : 'unknown';
    this.metrics.drop(kind);
    this.log.debug({ event: 'rpc_answer_dropped', correlationId, kind }, 'Dropped an answer that no call waits for');
  }

  private onReturn({ correlationId = '', routingKey }: ReturnedMessage): void {
    this.waiting.take(correlationId)?.reject(new BrokerError('NO_QUEUE', `there is no queue ${routingKey}`));
    this.declarations
      .declareAll()
      .catch((error) => this.log.warn({ event: 'broker_declare_failed', err: error }, 'Queues could not be declared'));
  }

  private onClose(): void {
    this.opening = undefined;
    for (const id of this.waiting.ids()) this.waiting.take(id)?.reject(lostBroker());
  }

  /** Calls wait for a slow worker, but not for one that is gone. */
  private async checkWaiting(): Promise<void> {
    const queues = this.waiting.queues();
    for (const queue of this.absentSince.keys()) if (!queues.has(queue)) this.absentSince.delete(queue);
    for (const queue of queues) {
      const absence = this.presence.wasSeenLately(queue) ? undefined : await this.absence(queue);
      if (absence) this.recordAbsence(queue, absence);
      else this.absentSince.delete(queue);
    }
  }

  private async absence(queue: string): Promise<BrokerError | undefined> {
    try {
      await this.presence.check(queue);
      return undefined;
    } catch (error) {
      // While the broker is unreachable, nothing is known about workers.
      return error instanceof BrokerError && error.code !== 'UNREACHABLE' ? error : undefined;
    }
  }

  private recordAbsence(queue: string, absence: BrokerError): void {
    const since = this.absentSince.get(queue) ?? Date.now();
    this.absentSince.set(queue, since);
    if (Date.now() - since < GRACE_MS) return;
    for (const id of this.waiting.ids(queue)) this.waiting.giveUp(id, absence);
  }
}

function traceHeaders() {
  const trace = traceparent();
  return trace ? { headers: { traceparent: trace } } : {};
}

function tooLarge(bytes: number): BrokerError {
  const [sent, allowed] = [bytes, MAX_ANSWER_BYTES].map((size) => (size / MB).toFixed(1));
  return new BrokerError('ANSWER_TOO_LARGE', `the answer has ${sent} MB, ${allowed} MB are allowed`);
}
