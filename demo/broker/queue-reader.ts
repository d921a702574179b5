import type { Consumer, MessageQueue, Queued } from './message-queue.js';

/** The channel as its consumers see it. */
interface ReadingChannel {
  readonly hasRoom: boolean;
  handOut(handed: { queue: MessageQueue; queued: Queued; reader: QueueReader }, acknowledges: boolean): number;
  sendMessage(
    name: 'basic.deliver',
    values: { consumerTag: string; deliveryTag: number; redelivered: boolean },
    message: Queued['message'],
  ): void;
  lost(tag: string): void;
}

/** What a client consumes over a channel. */
export class QueueReader implements Consumer {
  private unacknowledged = 0;

  constructor(
    private readonly channel: ReadingChannel,
    readonly reading: { tag: string; queue: MessageQueue; acknowledges: boolean; prefetch: number },
  ) {}

  hasRoom(): boolean {
    const { acknowledges, prefetch } = this.reading;
    if (!acknowledges) return this.channel.hasRoom;
    return this.channel.hasRoom && (prefetch === 0 || this.unacknowledged < prefetch);
  }

  deliver(queued: Queued): void {
    const { tag, queue, acknowledges } = this.reading;
    if (acknowledges) this.unacknowledged += 1;
    const deliveryTag = this.channel.handOut({ queue, queued, reader: this }, acknowledges);
    const delivery = { consumerTag: tag, deliveryTag, redelivered: queued.redelivered };
    this.channel.sendMessage('basic.deliver', delivery, queued.message);
  }

  /** A message of its was acknowledged, or went back. */
  released(): void {
    this.unacknowledged -= 1;
  }

  cancelled(): void {
    this.channel.lost(this.reading.tag);
  }
}
