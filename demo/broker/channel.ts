import { AmqpFault } from './amqp-fault.js';
import { REPLY_TO } from './direct-replies.js';
import type { Message } from './message.js';
import type { MessageQueue, Queued } from './message-queue.js';
import type { Arguments, MethodName } from './methods.js';
import { QueueReader } from './queue-reader.js';
import type { VirtualHost } from './virtual-host.js';

/** The connection as its channels see it, and use it as its name. */
export interface Line {
  readonly virtualHost: VirtualHost;
  /** Whether the client understands that a consumer is cancelled by the broker. */
  readonly takesCancellations: boolean;
  send<N extends MethodName>(channel: number, name: N, values: Arguments<N>): void;
  sendMessage<N extends MethodName>(channel: number, name: N, values: Arguments<N>, message: Message): void;
}

/** Handed out and not acknowledged yet. */
interface Unacknowledged {
  queue: MessageQueue;
  queued: Queued;
  reader: QueueReader | undefined;
}

export interface Reading {
  tag: string;
  queue: MessageQueue;
  acknowledges: boolean;
  isExclusive: boolean;
}

export class Channel {
  /** Unless a method names one, it is about the queue that was declared last. */
  lastQueue = '';
  /** Unacknowledged messages for each new consumer at most, and for the channel as a whole. None if 0. */
  prefetch = { each: 0, all: 0 };
  isFlowing = true;
  private confirmed: number | undefined;
  private deliveries = 0;
  private readonly unacknowledged = new Map<number, Unacknowledged>();
  private readonly readers = new Map<string, QueueReader>();
  private reply: { tag: string; address: string } | undefined;

  constructor(
    readonly number: number,
    readonly line: Line,
  ) {}

  get host(): VirtualHost {
    return this.line.virtualHost;
  }

  send<N extends MethodName>(name: N, values: Arguments<N>): void {
    this.line.send(this.number, name, values);
  }

  /** The queue of that name, which nobody else has for itself. */
  queue(name: string): MessageQueue {
    return this.host.queue(name || this.lastQueue, this.line);
  }

  get hasRoom(): boolean {
    return this.isFlowing && (this.prefetch.all === 0 || this.unacknowledged.size < this.prefetch.all);
  }

  isReading(tag: string): boolean {
    return this.readers.has(tag) || this.reply?.tag === tag;
  }

  read({ tag, queue, acknowledges, isExclusive }: Reading): void {
    const reader = new QueueReader(this, { tag, queue, acknowledges, prefetch: this.prefetch.each });
    this.readers.set(tag, reader);
    queue.addConsumer(reader, isExclusive);
  }

  readReplies(tag: string): void {
    if (this.reply) throw new AmqpFault('PRECONDITION_FAILED', 'reply consumer already set');
    const address = this.host.replies.open((message) => {
      const delivery = { consumerTag: tag, deliveryTag: this.nextTag(), redelivered: false };
      this.sendMessage('basic.deliver', delivery, message);
    });
    this.reply = { tag, address };
  }

  /** Where those answer who are sent a message over this channel. */
  replyAddress(replyTo: string | undefined): string | undefined {
    if (replyTo !== REPLY_TO) return replyTo;
    if (!this.reply) throw new AmqpFault('PRECONDITION_FAILED', 'fast reply consumer does not exist');
    return this.reply.address;
  }

  /** What it has not acknowledged yet stays with the channel. */
  stopReading(tag: string): void {
    if (this.reply?.tag === tag) {
      this.host.replies.close(this.reply.address);
      this.reply = undefined;
    }
    const reader = this.readers.get(tag);
    if (!reader) return;
    this.readers.delete(tag);
    const { queue } = reader.reading;
    queue.removeConsumer(reader);
    if (queue.traits.autoDelete && !queue.consumerCount) this.host.deleteQueue(queue);
  }

  /** The queue is gone. */
  lost(tag: string): void {
    this.readers.delete(tag);
    if (this.line.takesCancellations) this.send('basic.cancel', { consumerTag: tag, nowait: true });
  }

  /** Notes what is handed out, if it has to be acknowledged, and gives it its tag. */
  handOut(handed: Unacknowledged, acknowledges: boolean): number {
    const tag = this.nextTag();
    if (acknowledges) this.unacknowledged.set(tag, handed);
    return tag;
  }

  sendMessage<N extends 'basic.deliver' | 'basic.get-ok' | 'basic.return'>(
    name: N,
    values: Omit<Arguments<N>, 'exchange' | 'routingKey'>,
    message: Message,
  ): void {
    const { exchange, routingKey } = message;
    this.line.sendMessage(this.number, name, { ...values, exchange, routingKey } as Arguments<N>, message);
  }

  acknowledge(deliveryTag: number, multiple: boolean): void {
    this.take(deliveryTag, multiple);
    this.goOn();
  }

  refuse(deliveryTag: number, { multiple, requeue }: { multiple: boolean; requeue: boolean }): void {
    const taken = this.take(deliveryTag, multiple);
    if (requeue) giveBack(taken);
    else for (const { queue, queued } of taken) queue.reject(queued);
    this.goOn();
  }

  giveAllBack(): void {
    giveBack(this.unacknowledged.size ? this.take(0, true) : []);
  }

  /** Consumers may have room again. */
  goOn(): void {
    for (const { reading } of this.readers.values()) reading.queue.settle();
  }

  confirmFromNowOn(): void {
    this.confirmed ??= 0;
  }

  confirm(): void {
    if (this.confirmed === undefined) return;
    this.confirmed += 1;
    this.send('basic.ack', { deliveryTag: this.confirmed, multiple: false });
  }

  close(): void {
    const tags = [...this.readers.keys(), ...(this.reply ? [this.reply.tag] : [])];
    // First all of them: what the channel gives back is not for itself.
    for (const tag of tags) this.stopReading(tag);
    this.giveAllBack();
  }

  private nextTag(): number {
    this.deliveries += 1;
    return this.deliveries;
  }

  private take(deliveryTag: number, multiple: boolean): Unacknowledged[] {
    // Up to and with this one, all if it is 0.
    const isMeant = (tag: number) => deliveryTag === 0 || tag <= deliveryTag;
    const tags = multiple ? [...this.unacknowledged.keys()].filter(isMeant) : [deliveryTag];
    const taken = tags.flatMap((tag) => this.unacknowledged.get(tag) ?? []);
    const isKnown = taken.length > 0 || (multiple && deliveryTag === 0);
    if (!isKnown) throw new AmqpFault('PRECONDITION_FAILED', `unknown delivery tag ${deliveryTag}`);
    for (const tag of tags) this.unacknowledged.delete(tag);
    for (const { reader } of taken) reader?.released();
    return taken;
  }
}

function giveBack(taken: Unacknowledged[]): void {
  for (const queue of new Set(taken.map((handed) => handed.queue)))
    queue.giveBack(taken.filter((handed) => handed.queue === queue).map(({ queued }) => queued));
}
