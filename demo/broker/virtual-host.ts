import { AmqpFault } from './amqp-fault.js';
import { deadLetter, goesInCircles } from './dead-letter.js';
import { DirectReplies } from './direct-replies.js';
import { Exchange, type ExchangeTraits } from './exchange.js';
import type { Message } from './message.js';
import { type Death, MessageQueue, type QueueTraits } from './message-queue.js';
import { readQueueSettings } from './queue-settings.js';

const PREDECLARED = ['direct', 'fanout', 'topic'];

/** The exchanges and queues of a virtual host, each of which exists as soon as somebody asks for it. */
export class VirtualHost {
  readonly replies = new DirectReplies();
  private readonly exchanges = new Map<string, Exchange>();
  private readonly queues = new Map<string, MessageQueue>();

  constructor(readonly name: string) {
    const traits = { durable: true, autoDelete: false, internal: false };
    for (const type of PREDECLARED) this.addExchange({ name: `amq.${type}`, type, ...traits });
  }

  /** As its refusals name things. */
  say(kind: 'queue' | 'exchange', name: string): string {
    return `${kind} '${name}' in vhost '${this.name}'`;
  }

  findExchange(name: string): Exchange | undefined {
    return this.exchanges.get(name);
  }

  exchange(name: string): Exchange {
    if (!name) throw new AmqpFault('ACCESS_REFUSED', 'operation not permitted on the default exchange');
    const exchange = this.exchanges.get(name);
    if (!exchange) throw new AmqpFault('NOT_FOUND', `no ${this.say('exchange', name)}`);
    return exchange;
  }

  addExchange(traits: ExchangeTraits): void {
    this.exchanges.set(traits.name, new Exchange(traits));
  }

  deleteExchange(exchange: Exchange): void {
    this.exchanges.delete(exchange.traits.name);
    this.forget(exchange);
  }

  /** To be called when something was unbound from it. */
  deleteIfDone(exchange: Exchange): void {
    if (exchange.traits.autoDelete && !exchange.isUsed) this.deleteExchange(exchange);
  }

  /** Not for those whose queue it is not. */
  findQueue(name: string, connection: object): MessageQueue | undefined {
    const queue = this.queues.get(name);
    const owner = queue?.traits.owner;
    if (owner && owner !== connection) {
      const locked = `cannot obtain exclusive access to locked ${this.say('queue', name)}`;
      throw new AmqpFault('RESOURCE_LOCKED', locked);
    }
    return queue;
  }

  queue(name: string, connection: object): MessageQueue {
    const queue = this.findQueue(name, connection);
    if (!queue) throw new AmqpFault('NOT_FOUND', `no ${this.say('queue', name)}`);
    return queue;
  }

  addQueue(traits: QueueTraits): MessageQueue {
    const settings = readQueueSettings(traits.name, traits.arguments);
    const queue: MessageQueue = new MessageQueue(traits, settings, {
      bury: (message, reason) => this.bury(queue, message, reason),
      unused: () => this.deleteQueue(queue),
    });
    this.queues.set(traits.name, queue);
    return queue;
  }

  deleteQueue(queue: MessageQueue): void {
    if (this.queues.get(queue.name) !== queue) return;
    this.queues.delete(queue.name);
    this.forget(queue);
    queue.close();
  }

  /** Exclusive queues end with the connection that they are for. */
  deleteQueuesOf(connection: object): void {
    for (const queue of this.queues.values()) if (queue.traits.owner === connection) this.deleteQueue(queue);
  }

  /** Nobody gets what is in the queues. */
  close(): void {
    for (const queue of this.queues.values()) this.deleteQueue(queue);
  }

  /** Whether it went anywhere. */
  publish(message: Message): boolean {
    if (!message.exchange && this.replies.send(message)) return true;
    const queues = this.route(message);
    for (const queue of queues) queue.add(message);
    return queues.length > 0;
  }

  private route({ exchange, routingKey }: Pick<Message, 'exchange' | 'routingKey'>): MessageQueue[] {
    if (!exchange) return [this.queues.get(routingKey)].filter((queue) => queue !== undefined);
    const seen = new Set<Exchange | MessageQueue>([this.exchange(exchange)]);
    // A set that grows while it is walked through is walked to its new end.
    for (const place of seen)
      if (place instanceof Exchange) for (const next of place.destinations(routingKey)) seen.add(next);
    return [...seen].filter((place) => place instanceof MessageQueue);
  }

  private bury({ name, settings }: MessageQueue, message: Message, reason: Death): void {
    const { deadLetterExchange: exchange, deadLetterRoutingKey: routingKey = message.routingKey } = settings;
    if (exchange === undefined || (exchange && !this.exchanges.has(exchange))) return;
    const dead = { ...deadLetter(message, { queue: name, reason, now: new Date() }), exchange, routingKey };
    for (const queue of this.route(dead)) if (!goesInCircles(dead, queue.name)) queue.add(dead);
  }

  private forget(destination: Exchange | MessageQueue): void {
    for (const exchange of this.exchanges.values()) if (exchange.forget(destination)) this.deleteIfDone(exchange);
  }
}
