import { randomUUID } from 'node:crypto';
import { AmqpFault } from './amqp-fault.js';
import type { Channel } from './channel.js';
import type { Handlers } from './handlers.js';
import type { MessageQueue } from './message-queue.js';
import type { Arguments } from './methods.js';
import { refuseDifference } from './refuse-difference.js';

export const queueMethods: Handlers = {
  'queue.declare': (channel, values) => {
    const { name, messageCount, consumerCount } = declare(channel, values);
    channel.lastQueue = name;
    if (!values.nowait) channel.send('queue.declare-ok', { queue: name, messageCount, consumerCount });
  },

  'queue.bind': (channel, { queue, exchange, routingKey, nowait }) => {
    const destination = channel.queue(queue);
    channel.host.exchange(exchange).bind({ routingKey, destination });
    if (!nowait) channel.send('queue.bind-ok', {});
  },

  'queue.unbind': (channel, { queue, exchange: name, routingKey }) => {
    const destination = channel.queue(queue);
    const exchange = channel.host.exchange(name);
    exchange.unbind({ routingKey, destination });
    channel.host.deleteIfDone(exchange);
    channel.send('queue.unbind-ok', {});
  },

  'queue.purge': (channel, { queue, nowait }) => {
    const messageCount = channel.queue(queue).purge();
    if (!nowait) channel.send('queue.purge-ok', { messageCount });
  },

  'queue.delete': (channel, { queue: name, ifUnused, ifEmpty, nowait }) => {
    const { host, line } = channel;
    const queue = host.findQueue(name || channel.lastQueue, line);
    const refuse = (reason: string) => new AmqpFault('PRECONDITION_FAILED', `${host.say('queue', name)} ${reason}`);
    if (queue?.consumerCount && ifUnused) throw refuse('in use');
    if (queue?.messageCount && ifEmpty) throw refuse('not empty');
    const messageCount = queue?.messageCount ?? 0;
    if (queue) host.deleteQueue(queue);
    if (!nowait) channel.send('queue.delete-ok', { messageCount });
  },
};

type Declared = Pick<MessageQueue, 'name' | 'messageCount' | 'consumerCount'>;

function declare(channel: Channel, values: Arguments<'queue.declare'>): Declared {
  const { host, line } = channel;
  const { queue: name, passive, durable, autoDelete, exclusive, arguments: given } = values;
  // Who wants to answer somebody asks in this way whether they are still there.
  if (host.replies.isOpen(name)) return { name, messageCount: 0, consumerCount: 1 };
  if (passive) return channel.queue(name);
  const existing = name ? host.findQueue(name, line) : undefined;
  if (existing) {
    const { traits } = existing;
    const current = { ...traits.arguments, ...booleans(traits), exclusive: traits.owner !== undefined };
    const wanted = { ...given, ...booleans({ durable, autoDelete }), exclusive };
    refuseDifference(host.say('queue', name), { wanted, current });
    existing.used();
    return existing;
  }
  if (name.startsWith('amq.')) throw new AmqpFault('ACCESS_REFUSED', `queue name '${name}' is reserved`);
  const traits = { durable, autoDelete, arguments: given, owner: exclusive ? line : undefined };
  return host.addQueue({ name: name || `amq.gen-${randomUUID()}`, ...traits });
}

const booleans = ({ durable, autoDelete }: { durable: boolean; autoDelete: boolean }) => ({
  durable,
  auto_delete: autoDelete,
});
