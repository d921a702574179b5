import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { Broker } from '../../platform/broker/broker.js';
import { Declarations } from '../../platform/broker/declarations.js';
import { CONFIG, type Config } from '../../platform/config.js';
import { CanaryListener } from '../../platform/jobs/canary.js';
import { JobHandlers } from '../../platform/jobs/job-handler.js';
import { QUEUE_BACKEND, type QueueBackend } from '../../platform/jobs/queue-backend.js';
import { LOG, type Log } from '../../platform/log/log.js';
import { Periodic } from '../../platform/time/periodic.js';
import { withTimeout } from '../../platform/time/with-timeout.js';
import { WorkersStore } from '../workers/workers.store.js';
import { CanariesStore } from './canaries.store.js';
import { BROKER_PATH } from './canary-rules.js';
import { sendCanary, withdrawCanary } from './send-canary.js';

const BROKER_QUEUE = 'millrace.canary';
/** Older canaries are ignored, so the broker may drop them. */
const BROKER_LIMITS = { 'x-message-ttl': 60_000, 'x-max-length': 10 };
const PREFETCH = 10;
/** Timeout in milliseconds. A hanging server must not delay the canaries of the others. */
const TIMEOUT_MS = 2_000;

/**
 * Sends a canary through each queue and through the broker at regular intervals and records its return. Processes
 * coordinate through the table, so a large fleet sends no more than one process.
 */
@Injectable()
export class Canaries implements OnModuleInit, OnApplicationBootstrap {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
    @Inject(QUEUE_BACKEND) private readonly backend: QueueBackend,
    private readonly nest: CanaryListener,
    private readonly store: CanariesStore,
    private readonly workers: WorkersStore,
    private readonly handlers: JobHandlers,
    private readonly broker: Broker,
    private readonly declarations: Declarations,
    private readonly periodic: Periodic,
  ) {}

  onModuleInit() {
    this.nest.returned = (queue) => this.store.returned(queue);
    const { rabbitmqExchange: exchange, rabbitmqQueueType } = this.config;
    const queue = { name: BROKER_QUEUE, exchange, arguments: { 'x-queue-type': rabbitmqQueueType, ...BROKER_LIMITS } };
    this.declarations.want({ exchanges: [exchange], queues: [{ ...queue, usedAsItIs: true }] });
  }

  onApplicationBootstrap() {
    const { roles, canaryMs } = this.config;
    const isWorker = roles.has('worker');
    if (isWorker && this.broker.isConfigured)
      this.broker.consume(BROKER_QUEUE, PREFETCH, () => this.store.returned(BROKER_PATH));
    if (isWorker || roles.has('scheduler')) this.periodic.everyHere(canaryMs, 'canaries', () => this.send());
  }

  /** Returns all paths that this process can send to. */
  paths(): string[] {
    const queues = this.handlers.all().map(([{ name }]) => name);
    return this.broker.isConfigured ? [...queues, BROKER_PATH] : queues;
  }

  /** Sends the canaries that are due. */
  async send(): Promise<void> {
    const paths = await this.store.takeDue(this.paths(), this.config.canaryMs);
    if (!paths.length) return;
    const ends = await Promise.all(paths.map((path) => this.attempt(path)));
    const those = (end: SendResult) => paths.filter((_, at) => ends[at] === end);
    const someoneIsThere = (await this.workers.known()).some(({ isThere }) => isThere);
    const excused = someoneIsThere ? those('away') : paths;
    await this.store.note({ paused: those('paused'), excused, sent: those('sent') });
  }

  /** A canary that cannot be sent does not return either, which is what the alerts look at. */
  private async attempt(path: string): Promise<SendResult> {
    try {
      return await withTimeout(path === BROKER_PATH ? this.throughBroker() : this.throughQueue(path), TIMEOUT_MS);
    } catch (err) {
      this.log.debug({ event: 'canary_not_sent', err, path }, 'A canary could not be sent');
      return (await this.isAway(path)) ? 'away' : 'refused';
    }
  }

  private isAway(path: string): Promise<boolean> {
    const answer = path === BROKER_PATH ? this.broker.ping() : this.backend.ping();
    return withTimeout(answer, TIMEOUT_MS).then(
      () => false,
      () => true,
    );
  }

  private async throughQueue(name: string): Promise<SendResult> {
    const queue = this.backend.queue(name);
    if (await queue.isPaused()) {
      await withdrawCanary(queue);
      return 'paused';
    }
    await sendCanary(queue);
    return 'sent';
  }

  private async throughBroker(): Promise<SendResult> {
    await this.broker.publish({ exchange: this.config.rabbitmqExchange, routingKey: BROKER_QUEUE }, '');
    return 'sent';
  }
}

type SendResult = 'sent' | 'paused' | 'away' | 'refused';
