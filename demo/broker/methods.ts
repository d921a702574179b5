import type { FieldTable } from './fields.js';

/** How the fields of methods are written. Bits that follow each other share a byte. */
export interface Kinds {
  octet: number;
  short: number;
  long: number;
  longlong: number;
  shortstr: string;
  longstr: string;
  table: FieldTable;
  bit: boolean;
}
type Fields = Record<string, keyof Kinds>;
/** What is reserved in the protocol is empty, and nobody's business. */
type Values<F extends Fields> = { [K in keyof F as K extends 'reserved' | 'reserved2' ? never : K]: Kinds[F[K]] };

const method = <const F extends Fields>(classId: number, methodId: number, fields: F) => ({
  id: (classId << 16) | methodId,
  fields,
});

const BINDING = { routingKey: 'shortstr', nowait: 'bit', arguments: 'table' } as const;
const CLOSING = { replyCode: 'short', replyText: 'shortstr', failedMethod: 'long' } as const;
const TUNING = { channelMax: 'short', frameMax: 'long', heartbeat: 'short' } as const;
const DELIVERY = { deliveryTag: 'longlong', redelivered: 'bit', exchange: 'shortstr', routingKey: 'shortstr' } as const;

/** All of AMQP 0-9-1 that is spoken here, with RabbitMQ's additions. */
export const METHODS = {
  'connection.start': method(10, 10, {
    ...{ versionMajor: 'octet', versionMinor: 'octet', serverProperties: 'table' },
    ...{ mechanisms: 'longstr', locales: 'longstr' },
  }),
  'connection.start-ok': method(10, 11, {
    ...{ clientProperties: 'table', mechanism: 'shortstr', response: 'longstr', locale: 'shortstr' },
  }),
  'connection.tune': method(10, 30, TUNING),
  'connection.tune-ok': method(10, 31, TUNING),
  'connection.open': method(10, 40, { virtualHost: 'shortstr', reserved: 'shortstr', reserved2: 'bit' }),
  'connection.open-ok': method(10, 41, { reserved: 'shortstr' }),
  'connection.close': method(10, 50, CLOSING),
  'connection.close-ok': method(10, 51, {}),

  'channel.open': method(20, 10, { reserved: 'shortstr' }),
  'channel.open-ok': method(20, 11, { reserved: 'longstr' }),
  'channel.flow': method(20, 20, { active: 'bit' }),
  'channel.flow-ok': method(20, 21, { active: 'bit' }),
  'channel.close': method(20, 40, CLOSING),
  'channel.close-ok': method(20, 41, {}),

  'exchange.declare': method(40, 10, {
    ...{ reserved: 'short', exchange: 'shortstr', type: 'shortstr', passive: 'bit', durable: 'bit' },
    ...{ autoDelete: 'bit', internal: 'bit', nowait: 'bit', arguments: 'table' },
  }),
  'exchange.declare-ok': method(40, 11, {}),
  'exchange.delete': method(40, 20, { reserved: 'short', exchange: 'shortstr', ifUnused: 'bit', nowait: 'bit' }),
  'exchange.delete-ok': method(40, 21, {}),
  'exchange.bind': method(40, 30, { reserved: 'short', destination: 'shortstr', source: 'shortstr', ...BINDING }),
  'exchange.bind-ok': method(40, 31, {}),
  'exchange.unbind': method(40, 40, { reserved: 'short', destination: 'shortstr', source: 'shortstr', ...BINDING }),
  'exchange.unbind-ok': method(40, 51, {}),

  'queue.declare': method(50, 10, {
    ...{ reserved: 'short', queue: 'shortstr', passive: 'bit', durable: 'bit', exclusive: 'bit' },
    ...{ autoDelete: 'bit', nowait: 'bit', arguments: 'table' },
  }),
  'queue.declare-ok': method(50, 11, { queue: 'shortstr', messageCount: 'long', consumerCount: 'long' }),
  'queue.bind': method(50, 20, { reserved: 'short', queue: 'shortstr', exchange: 'shortstr', ...BINDING }),
  'queue.bind-ok': method(50, 21, {}),
  'queue.unbind': method(50, 50, {
    ...{ reserved: 'short', queue: 'shortstr', exchange: 'shortstr', routingKey: 'shortstr', arguments: 'table' },
  }),
  'queue.unbind-ok': method(50, 51, {}),
  'queue.purge': method(50, 30, { reserved: 'short', queue: 'shortstr', nowait: 'bit' }),
  'queue.purge-ok': method(50, 31, { messageCount: 'long' }),
  'queue.delete': method(50, 40, {
    ...{ reserved: 'short', queue: 'shortstr', ifUnused: 'bit', ifEmpty: 'bit', nowait: 'bit' },
  }),
  'queue.delete-ok': method(50, 41, { messageCount: 'long' }),

  'basic.qos': method(60, 10, { prefetchSize: 'long', prefetchCount: 'short', global: 'bit' }),
  'basic.qos-ok': method(60, 11, {}),
  'basic.consume': method(60, 20, {
    ...{ reserved: 'short', queue: 'shortstr', consumerTag: 'shortstr', noLocal: 'bit', noAck: 'bit' },
    ...{ exclusive: 'bit', nowait: 'bit', arguments: 'table' },
  }),
  'basic.consume-ok': method(60, 21, { consumerTag: 'shortstr' }),
  'basic.cancel': method(60, 30, { consumerTag: 'shortstr', nowait: 'bit' }),
  'basic.cancel-ok': method(60, 31, { consumerTag: 'shortstr' }),
  'basic.publish': method(60, 40, {
    ...{ reserved: 'short', exchange: 'shortstr', routingKey: 'shortstr', mandatory: 'bit', immediate: 'bit' },
  }),
  'basic.return': method(60, 50, {
    ...{ replyCode: 'short', replyText: 'shortstr', exchange: 'shortstr', routingKey: 'shortstr' },
  }),
  'basic.deliver': method(60, 60, { consumerTag: 'shortstr', ...DELIVERY }),
  'basic.get': method(60, 70, { reserved: 'short', queue: 'shortstr', noAck: 'bit' }),
  'basic.get-ok': method(60, 71, { ...DELIVERY, messageCount: 'long' }),
  'basic.get-empty': method(60, 72, { reserved: 'shortstr' }),
  'basic.ack': method(60, 80, { deliveryTag: 'longlong', multiple: 'bit' }),
  'basic.reject': method(60, 90, { deliveryTag: 'longlong', requeue: 'bit' }),
  'basic.recover': method(60, 110, { requeue: 'bit' }),
  'basic.recover-ok': method(60, 111, {}),
  'basic.nack': method(60, 120, { deliveryTag: 'longlong', multiple: 'bit', requeue: 'bit' }),

  'confirm.select': method(85, 10, { nowait: 'bit' }),
  'confirm.select-ok': method(85, 11, {}),
} as const;

export type MethodName = keyof typeof METHODS;
export type Arguments<N extends MethodName> = Values<(typeof METHODS)[N]['fields']>;
export type Method = { [N in MethodName]: { name: N; arguments: Arguments<N> } }[MethodName];
