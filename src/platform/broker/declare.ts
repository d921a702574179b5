import { AMQPChannelError, AMQPConnectionError, type Channel } from 'rabbitmq-client';
import type { Broker } from './broker.js';
import { BrokerError, lostBroker } from './broker-error.js';
import { within } from './with-timeout.js';

/** A cluster that has just started takes its time over the first queues. */
const ANSWER_MS = 10_000;

export interface DeclaredQueue {
  name: string;
  /** Bound to it by its own name. */
  exchange: string;
  arguments: Record<string, string | number>;
  /** Also with other arguments than these. */
  usedAsItIs?: boolean;
}

interface QueueInfo {
  messages: number;
  consumers: number;
}

export async function declareExchange(broker: Broker, exchange: string): Promise<void> {
  await onChannel(broker, (channel) => channel.exchangeDeclare({ exchange, type: 'direct', durable: true }));
}

export async function declareQueue(broker: Broker, queue: DeclaredQueue): Promise<void> {
  const { name, exchange, arguments: given, usedAsItIs } = queue;
  const bind = () => onChannel(broker, (channel) => channel.queueBind({ queue: name, exchange, routingKey: name }));
  try {
    await onChannel(broker, (channel) => channel.queueDeclare({ queue: name, durable: true, arguments: given }));
  } catch (error) {
    if (usedAsItIs) await bind();
    throw error;
  }
  await bind();
}

/** Undefined if there is no such queue. */
export async function queueInfo(broker: Broker, queue: string): Promise<QueueInfo | undefined> {
  try {
    return await onChannel(broker, async (channel) => {
      const { messageCount, consumerCount } = await channel.queueDeclare({ queue, passive: true });
      return { messages: messageCount, consumers: consumerCount };
    });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (error.code === 'NOT_FOUND') return undefined;
    throw new BrokerError('NO_QUEUE', `the queue ${queue} cannot be used: ${error.message}`, { cause: error });
  }
}

/** RabbitMQ has answered, and says no. */
export function isRefusal(error: unknown): error is AMQPChannelError {
  if (!(error instanceof AMQPChannelError) || error instanceof AMQPConnectionError) return false;
  return error.code !== 'CH_CLOSE';
}

/** Fails with a refusal, which closes the channel that it came on, or with UNREACHABLE. */
async function onChannel<T>(broker: Broker, work: (channel: Channel) => Promise<T>): Promise<T> {
  const channel = await broker.channel();
  try {
    return await within(ANSWER_MS, work(channel));
  } catch (error) {
    throw isRefusal(error) ? error : lostBroker(error);
  } finally {
    void channel.close();
  }
}
