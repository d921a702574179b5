import type { FieldTable } from './fields.js';
import type { Message } from './message.js';
import type { QueueSettings } from './queue-settings.js';

/** A message in a queue, or on its way from there to a consumer that has not acknowledged it. */
export interface Queued {
  /** Messages that come back take their old place again. */
  position: number;
  message: Message;
  redelivered: boolean;
  expiresAt: number;
}

export interface Consumer {
  hasRoom(): boolean;
  deliver(queued: Queued): void;
  /** The queue is gone. */
  cancelled(): void;
}

export type Death = 'expired' | 'maxlen' | 'rejected';

export interface QueueTraits {
  name: string;
  durable: boolean;
  autoDelete: boolean;
  /** The connection that it is for, and ends with. */
  owner: object | undefined;
  arguments: FieldTable;
}

interface Surroundings {
  bury(message: Message, reason: Death): void;
  /** Nobody has used it for as long as it may be unused. */
  unused(): void;
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Messages in order, handed to consumers in turn. */
export class MessageQueue {
  private ready: Queued[] = [];
  private consumers: Consumer[] = [];
  private exclusiveConsumer: Consumer | undefined;
  private positions = 0;
  private expiry: NodeJS.Timeout | undefined;
  private end: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    readonly traits: QueueTraits,
    readonly settings: QueueSettings,
    private readonly surroundings: Surroundings,
  ) {
    this.used();
  }

  get name(): string {
    return this.traits.name;
  }

  get messageCount(): number {
    return this.ready.length;
  }

  get consumerCount(): number {
    return this.consumers.length;
  }

  get isTakenExclusively(): boolean {
    return this.exclusiveConsumer !== undefined;
  }

  add(message: Message): void {
    const ttls = [this.settings.ttlMs, message.properties.expiration].filter((ttl) => ttl !== undefined);
    const expiresAt = Date.now() + Math.min(...ttls.map(Number));
    this.ready.push({ position: ++this.positions, message, redelivered: false, expiresAt });
    this.settle();
  }

  /** The first, without waiting for a consumer. */
  take(): Queued | undefined {
    this.dropExpired();
    return this.ready.shift();
  }

  giveBack(returned: Queued[]): void {
    if (this.isClosed) return;
    const again = returned.map((queued) => ({ ...queued, redelivered: true }));
    this.ready = [...again, ...this.ready].sort((a, b) => a.position - b.position);
    this.settle();
  }

  reject({ message }: Queued): void {
    this.surroundings.bury(message, 'rejected');
  }

  purge(): number {
    const count = this.ready.length;
    this.ready = [];
    this.settle();
    return count;
  }

  addConsumer(consumer: Consumer, isExclusive: boolean): void {
    this.consumers.push(consumer);
    if (isExclusive) this.exclusiveConsumer = consumer;
    this.used();
    this.settle();
  }

  removeConsumer(consumer: Consumer): void {
    this.consumers = this.consumers.filter((other) => other !== consumer);
    if (this.exclusiveConsumer === consumer) this.exclusiveConsumer = undefined;
    this.used();
  }

  /** Messages that come do not count, in RabbitMQ neither. */
  used(): void {
    clearTimeout(this.end);
    const { expiresMs } = this.settings;
    if (expiresMs === undefined || this.consumers.length) return;
    this.end = setTimeout(() => this.surroundings.unused(), Math.min(LONGEST_TIMER_MS, expiresMs)).unref();
  }

  /** Its messages are lost, also those that are given back later. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.expiry);
    clearTimeout(this.end);
    this.ready = [];
    for (const consumer of this.consumers.splice(0)) consumer.cancelled();
  }

  /** After anything has changed: hands out what can be handed out, then drops what may not stay. */
  settle(): void {
    for (let consumer = this.nextConsumer(); consumer; consumer = this.nextConsumer()) {
      const queued = this.take();
      if (!queued) break;
      consumer.deliver(queued);
    }
    this.dropExpired();
    const { maxLength = Number.POSITIVE_INFINITY } = this.settings;
    while (this.ready.length > maxLength) this.buryFirst('maxlen');
    this.watchExpiry();
  }

  private nextConsumer(): Consumer | undefined {
    const next = this.ready.length ? this.consumers.find((consumer) => consumer.hasRoom()) : undefined;
    // The others come first next time.
    if (next) this.consumers = [...this.consumers.filter((other) => other !== next), next];
    return next;
  }

  /** One that waits behind others is not looked at, as in RabbitMQ. */
  private dropExpired(): void {
    for (let [first] = this.ready; first && first.expiresAt < Date.now(); [first] = this.ready)
      this.buryFirst('expired');
  }

  private buryFirst(reason: Death): void {
    const first = this.ready.shift();
    if (first) this.surroundings.bury(first.message, reason);
  }

  private watchExpiry(): void {
    clearTimeout(this.expiry);
    const [first] = this.ready;
    if (!first || first.expiresAt === Number.POSITIVE_INFINITY) return;
    const afterMs = Math.min(LONGEST_TIMER_MS, first.expiresAt - Date.now() + 1);
    this.expiry = setTimeout(() => this.settle(), afterMs).unref();
  }
}
