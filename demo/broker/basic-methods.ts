import { randomUUID } from 'node:crypto';
import { AmqpFault } from './amqp-fault.js';
import type { Channel } from './channel.js';
import { REPLY_TO } from './direct-replies.js';
import type { Handlers } from './handlers.js';
import type { Arguments } from './methods.js';

export const basicMethods: Handlers = {
  'basic.qos': (channel, { prefetchSize, prefetchCount, global }) => {
    if (prefetchSize) throw new AmqpFault('NOT_IMPLEMENTED', `prefetch_size!=0 (${prefetchSize})`);
    channel.prefetch = { ...channel.prefetch, [global ? 'all' : 'each']: prefetchCount };
    channel.send('basic.qos-ok', {});
    channel.goOn();
  },

  'basic.consume': (channel, values) => {
    const consumerTag = values.consumerTag || `amq.ctag-${randomUUID()}`;
    if (channel.isReading(consumerTag))
      throw new AmqpFault('NOT_ALLOWED', `attempt to reuse consumer tag '${consumerTag}'`);
    const start = consume(channel, { ...values, consumerTag });
    if (!values.nowait) channel.send('basic.consume-ok', { consumerTag });
    start();
  },

  'basic.cancel': (channel, { consumerTag, nowait }) => {
    channel.stopReading(consumerTag);
    if (!nowait) channel.send('basic.cancel-ok', { consumerTag });
  },

  'basic.get': (channel, { queue: name, noAck }) => {
    const queue = channel.queue(name);
    const queued = queue.take();
    queue.used();
    if (!queued) {
      channel.send('basic.get-empty', {});
      return;
    }
    const deliveryTag = channel.handOut({ queue, queued, reader: undefined }, !noAck);
    const { redelivered, message } = queued;
    channel.sendMessage('basic.get-ok', { deliveryTag, redelivered, messageCount: queue.messageCount }, message);
  },

  'basic.ack': (channel, { deliveryTag, multiple }) => channel.acknowledge(deliveryTag, multiple),
  'basic.nack': (channel, { deliveryTag, multiple, requeue }) => channel.refuse(deliveryTag, { multiple, requeue }),
  'basic.reject': (channel, { deliveryTag, requeue }) => channel.refuse(deliveryTag, { multiple: false, requeue }),

  'basic.recover': (channel, { requeue }) => {
    if (!requeue) throw new AmqpFault('NOT_IMPLEMENTED', 'requeue=false');
    channel.giveAllBack();
    channel.send('basic.recover-ok', {});
  },

  'confirm.select': (channel, { nowait }) => {
    channel.confirmFromNowOn();
    if (!nowait) channel.send('confirm.select-ok', {});
  },

  'channel.flow': (channel, { active }) => {
    channel.isFlowing = active;
    channel.send('channel.flow-ok', { active });
    channel.goOn();
  },
};

/** Checks everything, and returns what begins the deliveries: the first may not come before the answer. */
function consume(channel: Channel, values: Arguments<'basic.consume'>): () => void {
  const { consumerTag: tag, noAck, exclusive } = values;
  if (values.queue === REPLY_TO) {
    if (!noAck) throw new AmqpFault('PRECONDITION_FAILED', 'reply consumer cannot acknowledge');
    channel.readReplies(tag);
    return () => undefined;
  }
  const queue = channel.queue(values.queue);
  if (queue.isTakenExclusively || (exclusive && queue.consumerCount))
    throw new AmqpFault('ACCESS_REFUSED', `${channel.host.say('queue', queue.name)} in exclusive use`);
  return () => channel.read({ tag, queue, acknowledges: !noAck, isExclusive: exclusive });
}
