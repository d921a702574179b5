import { AmqpFault } from './amqp-fault.js';
import type { Channel } from './channel.js';
import type { Properties } from './message.js';
import type { Arguments } from './methods.js';

export interface Publication {
  values: Arguments<'basic.publish'>;
  properties: Properties;
  body: Buffer;
}

const NO_ROUTE = { replyCode: 312, replyText: 'NO_ROUTE' };

export function publish(channel: Channel, { values, properties, body }: Publication): void {
  const { exchange, routingKey, mandatory, immediate } = values;
  const { host } = channel;
  const { expiration } = properties;
  if (immediate) throw new AmqpFault('NOT_IMPLEMENTED', 'immediate=true');
  if (exchange && host.exchange(exchange).traits.internal)
    throw new AmqpFault('ACCESS_REFUSED', `cannot publish to internal ${host.say('exchange', exchange)}`);
  if (expiration !== undefined && !/^\d+$/.test(expiration))
    throw new AmqpFault('PRECONDITION_FAILED', `invalid expiration '${expiration}'`);

  const replyTo = channel.replyAddress(properties.replyTo);
  const message = {
    exchange,
    routingKey,
    body,
    properties: { ...properties, ...(replyTo !== undefined && { replyTo }) },
  };
  const isRouted = host.publish(message);
  if (mandatory && !isRouted) channel.sendMessage('basic.return', NO_ROUTE, message);
  channel.confirm();
}
