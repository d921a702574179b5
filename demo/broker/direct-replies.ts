import { randomUUID } from 'node:crypto';
import type { Message } from './message.js';

export const REPLY_TO = 'amq.rabbitmq.reply-to';

/** Answers go straight to who asked, past all queues. */
export class DirectReplies {
  private readonly takers = new Map<string, (message: Message) => void>();

  /** The address that whoever answers is told, in place of `amq.rabbitmq.reply-to`. */
  open(take: (message: Message) => void): string {
    const address = `${REPLY_TO}.${randomUUID()}`;
    this.takers.set(address, take);
    return address;
  }

  close(address: string): void {
    this.takers.delete(address);
  }

  isOpen(address: string): boolean {
    return this.takers.has(address);
  }

  /** Whether there was anybody. */
  send(message: Message): boolean {
    const take = this.takers.get(message.routingKey);
    take?.(message);
    return take !== undefined;
  }
}
