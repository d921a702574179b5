import { AmqpFault } from './amqp-fault.js';
import type { Channel } from './channel.js';
import { isExchangeType } from './exchange.js';
import type { Handlers } from './handlers.js';
import type { Arguments } from './methods.js';
import { refuseDifference } from './refuse-difference.js';

export const exchangeMethods: Handlers = {
  'exchange.declare': (channel, values) => {
    declare(channel, values);
    if (!values.nowait) channel.send('exchange.declare-ok', {});
  },

  'exchange.delete': (channel, { exchange: name, ifUnused, nowait }) => {
    const { host } = channel;
    refuseReserved(name);
    const exchange = host.findExchange(name);
    if (exchange?.isUsed && ifUnused)
      throw new AmqpFault('PRECONDITION_FAILED', `${host.say('exchange', name)} in use`);
    if (exchange) host.deleteExchange(exchange);
    if (!nowait) channel.send('exchange.delete-ok', {});
  },

  'exchange.bind': (channel, { destination, source, routingKey, nowait }) => {
    const { host } = channel;
    host.exchange(source).bind({ routingKey, destination: host.exchange(destination) });
    if (!nowait) channel.send('exchange.bind-ok', {});
  },

  'exchange.unbind': (channel, { destination, source, routingKey, nowait }) => {
    const { host } = channel;
    const from = host.exchange(source);
    from.unbind({ routingKey, destination: host.exchange(destination) });
    host.deleteIfDone(from);
    if (!nowait) channel.send('exchange.unbind-ok', {});
  },
};

function declare({ host }: Channel, wanted: Arguments<'exchange.declare'>): void {
  const { exchange: name, type, durable, autoDelete, internal } = wanted;
  if (wanted.passive) {
    host.exchange(name);
    return;
  }
  if (!isExchangeType(type)) throw new AmqpFault('COMMAND_INVALID', `unknown exchange type '${type}'`);
  const [argument] = Object.keys(wanted.arguments);
  if (argument) throw new AmqpFault('NOT_IMPLEMENTED', `the demo's broker knows no ${argument}`);
  const traits = { type, durable, autoDelete, internal };
  const existing = host.findExchange(name);
  if (existing) {
    const { name: _, ...current } = existing.traits;
    refuseDifference(host.say('exchange', name), { wanted: traits, current });
    return;
  }
  refuseReserved(name);
  host.addExchange({ name, ...traits });
}

function refuseReserved(name: string): void {
  if (!name || name.startsWith('amq.')) throw new AmqpFault('ACCESS_REFUSED', `exchange name '${name}' is reserved`);
}
