import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Broker } from '../../platform/broker/broker.js';
import { BrokerError } from '../../platform/broker/broker-error.js';
import { Declarations } from '../../platform/broker/declarations.js';
import { queueInfo } from '../../platform/broker/declare.js';
import { ManagementApi, ManagementError, type QueueFigures } from '../../platform/broker/management-api.js';
import { LOG, type Log } from '../../platform/log/log.js';
import { Clock } from '../../platform/time/clock.js';
import { withTimeout } from '../../platform/time/with-timeout.js';

/** RabbitMQ itself collects its figures every 5 seconds. */
const FRESH_MS = 5_000;
/** A management API that failed is not asked again for this long (ms), so that a slow one delays nothing. */
const RETRY_MS = 30_000;
const DECLARE_TIMEOUT_MS = 3_000;

const PER_SECOND = z.number().nullable();

export const BrokerQueueView = z.strictObject({
  name: z.string(),
  /** Null if the queue does not exist or cannot be read. */
  ready: z.int().nullable(),
  /** Messages that a consumer has received and not answered for yet. Only the management API knows them. */
  unacknowledged: z.int().nullable(),
  consumers: z.int().nullable(),
  /** The rates of the last seconds. Only the management API knows them. */
  publishedPerSecond: PER_SECOND,
  deliveredPerSecond: PER_SECOND,
  acknowledgedPerSecond: PER_SECOND,
});
export type BrokerQueueView = z.infer<typeof BrokerQueueView>;

export const RabbitmqView = z.strictObject({
  /** A passive declaration knows only ready messages and consumers. */
  source: z.enum(['management', 'passive_declare']),
  /** Why figures are missing. Null if nothing failed. */
  error: z.string().nullable(),
  queues: z.array(BrokerQueueView),
});
export type RabbitmqView = z.infer<typeof RabbitmqView>;

const UNKNOWN: Omit<BrokerQueueView, 'name'> = {
  ready: null,
  unacknowledged: null,
  consumers: null,
  publishedPerSecond: null,
  deliveredPerSecond: null,
  acknowledgedPerSecond: null,
};

/** Watches every queue that Millrace declares at RabbitMQ. */
@Injectable()
export class BrokerQueues {
  private latest: { view: RabbitmqView; atMs: number } | undefined;
  private reading: Promise<RabbitmqView> | undefined;
  private failed: { message: string; atMs: number } | undefined;

  constructor(
    private readonly broker: Broker,
    private readonly declarations: Declarations,
    private readonly management: ManagementApi,
    private readonly clock: Clock,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Returns null if RabbitMQ is not configured. Concurrent callers share one look. */
  async read(): Promise<RabbitmqView | null> {
    if (!this.broker.isConfigured) return null;
    if (this.latest && this.nowMs - this.latest.atMs < FRESH_MS) return this.latest.view;
    this.reading ??= this.look().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  private get nowMs(): number {
    return this.clock.now().getTime();
  }

  private async look(): Promise<RabbitmqView> {
    const names = this.declarations.queueNames.toSorted();
    const figures: Map<string, Partial<QueueFigures>> = await this.fromManagement(names);
    const rest = names.filter((name) => !figures.has(name));
    const declared = withTimeout(Promise.all(rest.map((name) => this.declared(name))), DECLARE_TIMEOUT_MS);
    const error = await declared.then(
      (found) => {
        for (const [at, name] of rest.entries()) figures.set(name, found[at] ?? {});
        return this.failed?.message ?? null;
      },
      () => 'RabbitMQ cannot be reached at the moment.',
    );
    const view: RabbitmqView = {
      source: this.management.isConfigured && !this.failed ? 'management' : 'passive_declare',
      error,
      queues: names.map((name) => ({ name, ...UNKNOWN, ...figures.get(name) })),
    };
    this.latest = { view, atMs: this.nowMs };
    return view;
  }

  /** Returns nothing while the management API fails. */
  private async fromManagement(names: string[]): Promise<Map<string, QueueFigures>> {
    if (!this.management.isConfigured) return new Map();
    if (this.failed && this.nowMs - this.failed.atMs < RETRY_MS) return new Map();
    try {
      const figures = await this.management.queues(names);
      if (this.failed)
        this.log.info({ event: 'rabbitmq_management_restored' }, 'The management API of RabbitMQ answers again');
      this.failed = undefined;
      return figures;
    } catch (error) {
      if (!(error instanceof ManagementError)) throw error;
      const { message } = error;
      if (this.failed?.message !== message) this.log.warn({ event: 'rabbitmq_management_failed' }, message);
      this.failed = { message, atMs: this.nowMs };
      return new Map();
    }
  }

  /** On a channel of its own, because a failed declaration closes its channel. */
  private async declared(name: string): Promise<Partial<QueueFigures> | undefined> {
    try {
      const info = await queueInfo(this.broker, name);
      return info && { ready: info.messages, consumers: info.consumers };
    } catch (error) {
      if (error instanceof BrokerError && error.code === 'NO_QUEUE') return undefined;
      throw error;
    }
  }
}
