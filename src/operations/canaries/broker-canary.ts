import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { Broker } from '../../platform/broker/broker.js';
import { Declarations } from '../../platform/broker/declarations.js';
import { CONFIG, type Config } from '../../platform/config.js';
import type { CanarySender } from './canaries.js';
import { CanariesStore } from './canaries.store.js';
import { BROKER_PATH } from './canary-rules.js';

const QUEUE = 'millrace.canary';
/** Older canaries are ignored, so the broker may drop them. */
const LIMITS = { 'x-message-ttl': 60_000, 'x-max-length': 10 };
const PREFETCH = 10;

@Injectable()
export class BrokerCanary implements CanarySender, OnModuleInit, OnApplicationBootstrap {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly broker: Broker,
    private readonly declarations: Declarations,
    private readonly store: CanariesStore,
  ) {}

  onModuleInit() {
    const { exchange } = this.broker;
    const options = { 'x-queue-type': this.config.rabbitmqQueueType, ...LIMITS };
    const queue = { name: QUEUE, exchange, arguments: options };
    this.declarations.want({ exchanges: [exchange], queues: [queue] });
  }

  onApplicationBootstrap() {
    if (!this.config.roles.has('worker') || !this.broker.isConfigured) return;
    this.broker.consume(QUEUE, PREFETCH, () => this.store.returned(BROKER_PATH));
  }

  paths(): string[] {
    return this.broker.isConfigured ? [BROKER_PATH] : [];
  }

  async send(): Promise<'sent'> {
    await this.broker.publish({ exchange: this.broker.exchange, routingKey: QUEUE }, '');
    return 'sent';
  }

  ping(): Promise<void> {
    return this.broker.ping();
  }
}
