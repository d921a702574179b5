import { onTestFinished } from 'vitest';
import { Broker } from '../../src/platform/broker/broker.js';
import { TestWorker } from '../workers/test-worker.js';
import type { startMetricsWorld } from './metrics-world.js';
import type { Metric } from './moved-metrics.js';

const queue = 'fetch.twitter';
const messages = (state: string): Metric => ['millrace_rabbitmq_queue_messages', { queue, state }];

/** Publishes until RabbitMQ knows a rate, then takes a message without acknowledging it. */
export async function moveMessages(
  { app, metrics }: Awaited<ReturnType<typeof startMetricsWorld>>,
  rabbitmqUrl: string,
): Promise<void> {
  const broker = app.get(Broker);
  const publish = () => broker.publish({ exchange: broker.exchange, routingKey: queue }, {});
  await metrics.moves([messages('ready')], publish);

  const publishing = setInterval(() => publish().catch(() => undefined), 200);
  onTestFinished(() => clearInterval(publishing));
  const published: Metric = ['millrace_rabbitmq_queue_messages_per_second', { queue, kind: 'published' }];
  await metrics.moves([published], publish);
  clearInterval(publishing);

  const consumed: Metric[] = [messages('unacknowledged'), ['millrace_rabbitmq_queue_consumers', { queue }, 1]];
  await metrics.moves(consumed, () => TestWorker.on(rabbitmqUrl, queue, () => new Promise(() => undefined)));
}
