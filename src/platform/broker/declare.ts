import { AMQPChannelError, AMQPConnectionError, type Channel } from 'rabbitmq-client';
import { withTimeout } from '../time/with-timeout.js';
import type { Broker } from './broker.js';
import { BrokerError, lostBroker } from './broker-error.js';

/** Timeout in milliseconds. A cluster that has just started is slow to declare its first queues. */
const ANSWER_MS = 10_000;

export interface DeclaredQueue {
  name: string;
  exchange: string;
  arguments: Record<string, string | number>;
  /** Others declare it. It is only bound, once it exists. */
  isForeign?: boolean;
}

interface QueueInfo {
  messages: number;
  consumers: number;
}

export async function declareExchange(broker: Broker, exchange: string): Promise<void> {
  await onChannel(broker, (channel) => channel.exchangeDeclare({ exchange, type: 'direct', durable: true }));
}

/** Binds an existing queue even if it has other arguments, and then fails with the refusal. */
export async function declareQueue(broker: Broker, queue: DeclaredQueue): Promise<void> {
  const { name, exchange, arguments: options } = queue;
  if (queue.isForeign && !(await queueInfo(broker, name))) return;
  const bind = () => onChannel(broker, (channel) => channel.queueBind({ queue: name, exchange, routingKey: name }));
  try {
    if (!queue.isForeign)
      await onChannel(broker, (channel) => channel.queueDeclare({ queue: name, durable: true, arguments: options }));
  } catch (error) {
    if (isRefusal(error)) await bind();
    throw error;
  }
  await bind();
}

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

export function isRefusal(error: unknown): error is AMQPChannelError {
  if (!(error instanceof AMQPChannelError) || error instanceof AMQPConnectionError) return false;
  return error.code !== 'CH_CLOSE';
}

/** Fails with a refusal, which closes its channel, or with UNREACHABLE. */
async function onChannel<T>(broker: Broker, work: (channel: Channel) => Promise<T>): Promise<T> {
  const channel = await broker.channel();
  try {
    return await withTimeout(work(channel), ANSWER_MS);
  } catch (error) {
    throw isRefusal(error) ? error : lostBroker(error);
  } finally {
    void channel.close();
  }
}
