import { once } from 'node:events';
import { Connection } from 'rabbitmq-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rabbitmqUrl } from './rabbitmq.js';

describe('rabbitmqUrl', () => {
  const url = rabbitmqUrl();
  let connection: Connection;
  beforeAll(() => {
    connection = new Connection({ url, noDelay: true });
  });
  afterAll(() => connection.close());

  it('leads to a broker that carries a message from a publisher to a consumer', async () => {
    const bodies: unknown[] = [];
    const consumer = connection.createConsumer(
      { queue: 'parcels', queueOptions: { durable: true, arguments: { 'x-queue-type': 'quorum' } } },
      async (message) => void bodies.push(message.body),
    );
    const publisher = connection.createPublisher({ confirm: true });
    await once(consumer, 'ready');

    await publisher.send('parcels', { hello: 'world' });

    await expect.poll(() => bodies, { timeout: 20_000 }).toEqual([{ hello: 'world' }]);
    await publisher.close();
    await consumer.close();
  });
});
