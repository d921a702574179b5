import type { Connection } from 'rabbitmq-client';
import { describe, expect, it, vi } from 'vitest';
import { clientOf, demoBroker, newClient } from '../../../test/broker/demo-broker.js';

const deadLetters = { 'x-dead-letter-exchange': '', 'x-dead-letter-routing-key': 'dead' };

async function queueAndGrave(given: Record<string, string | number>): Promise<Connection> {
  const client = await newClient();
  await client.queueDeclare({ queue: 'dead' });
  await client.queueDeclare({ queue: 'mortal', arguments: { ...deadLetters, ...given } });
  return client;
}

const publish = (client: Connection, envelope: object, body: string) =>
  client.createPublisher({ confirm: true }).send({ routingKey: 'mortal', ...envelope }, body);
const fromTheGrave = (client: Connection) =>
  vi.waitFor(async () => {
    const message = await client.basicGet({ queue: 'dead', noAck: true });
    if (!message) throw new Error('nobody has died');
    return message;
  });

describe('a queue', () => {
  it('is declared as often as one likes, but never otherwise', async () => {
    const client = await newClient();
    const queue = {
      queue: 'q',
      durable: true,
      arguments: { 'x-queue-type': 'quorum' as const, 'x-message-ttl': 600_000 },
    };
    await client.queueDeclare(queue);
    expect(await client.queueDeclare(queue)).toEqual({ queue: 'q', messageCount: 0, consumerCount: 0 });
    const differently = (given: object) =>
      client.queueDeclare({ ...queue, arguments: { ...queue.arguments, ...given } });
    await expect(differently({ 'x-message-ttl': 1 })).rejects.toMatchObject({
      code: 'PRECONDITION_FAILED',
      message: expect.stringContaining(
        "'x-message-ttl' for queue 'q' in vhost '/': received '1' but current is '600000'",
      ),
    });
    await expect(differently({ 'x-max-length': 5 })).rejects.toThrow("received '5' but current is none");
    await expect(client.queueDeclare({ ...queue, durable: false })).rejects.toThrow("inequivalent arg 'durable'");
  });

  it('that is not there is not found, and one that can do more than we is refused', async () => {
    const client = await newClient();
    await expect(client.queueDeclare({ queue: 'q', passive: true })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(client.basicGet('q')).rejects.toThrow("no queue 'q' in vhost '/'");
    const channel = await client.acquire();
    const priorities = { queue: 'q', arguments: { 'x-max-priority': 5 } };
    await expect(channel.queueDeclare(priorities)).rejects.toThrow('knows no x-max-priority');
    await vi.waitFor(async () => expect(await client.queueDeclare({ queue: 'q' })).toMatchObject({ messageCount: 0 }));
  });

  it('may be for one connection alone, and ends with it', async () => {
    const broker = await demoBroker();
    const [owner, other] = [clientOf(broker), clientOf(broker)];
    const { queue } = await owner.queueDeclare({ exclusive: true });
    expect(queue).toMatch(/^amq\.gen-/);
    await expect(other.queueDeclare({ queue, passive: true })).rejects.toMatchObject({ code: 'RESOURCE_LOCKED' });
    await owner.close();
    await vi.waitFor(() =>
      expect(other.queueDeclare({ queue, passive: true })).rejects.toMatchObject({ code: 'NOT_FOUND' }),
    );
  });

  it('may end with its last consumer, who is told if it ends before', async () => {
    const client = await newClient();
    const channel = await client.acquire();
    const consume = async (queue: string) => {
      await channel.queueDeclare({ queue, autoDelete: true });
      return channel.basicConsume({ queue }, () => undefined);
    };
    const { consumerTag } = await consume('short-lived');
    await channel.basicCancel({ consumerTag });
    await expect(client.basicGet('short-lived')).rejects.toMatchObject({ code: 'NOT_FOUND' });

    const told: string[] = [];
    const { consumerTag: another } = await consume('deleted');
    channel.on('basic.cancel', (tag) => told.push(tag));
    await client.queueDelete({ queue: 'deleted' });
    await vi.waitFor(() => expect(told).toEqual([another]));
  });

  it('may end when nobody has used it for a while', async () => {
    const client = await newClient();
    const looks = () => client.queueDeclare({ queue: 'forgotten', passive: true });
    await client.queueDeclare({ queue: 'forgotten', arguments: { 'x-expires': 20 } });
    await vi.waitFor(() => expect(looks()).rejects.toMatchObject({ code: 'NOT_FOUND' }), 10_000);
  });

  it('is emptied, and deleted only if that was meant', async () => {
    const client = await queueAndGrave({});
    await publish(client, {}, 'a');
    await expect(client.queueDelete({ queue: 'mortal', ifEmpty: true })).rejects.toThrow('not empty');
    expect(await client.queuePurge('mortal')).toEqual({ messageCount: 1 });
    expect(await client.queueDelete({ queue: 'mortal', ifEmpty: true })).toEqual({ messageCount: 0 });
  });
});

describe('a message that dies', () => {
  it('of age tells when and where', async () => {
    const client = await queueAndGrave({ 'x-message-ttl': 60_000 });
    await publish(client, { expiration: '1', headers: { mine: true } }, 'short');
    const { body, headers, expiration } = await fromTheGrave(client);
    expect({ body, expiration }).toEqual({ body: 'short', expiration: undefined });
    expect(headers).toMatchObject({
      ...{ mine: true, 'x-first-death-queue': 'mortal', 'x-first-death-reason': 'expired' },
      'x-death': [
        { reason: 'expired', queue: 'mortal', count: 1, 'original-expiration': '1', 'routing-keys': ['mortal'] },
      ],
    });
  });

  it('because its queue is full, or nobody wants it, goes the same way', async () => {
    const client = await queueAndGrave({ 'x-max-length': 1 });
    await publish(client, {}, 'first');
    await publish(client, {}, 'second');
    expect(await fromTheGrave(client)).toMatchObject({ body: 'first', headers: { 'x-death': [{ reason: 'maxlen' }] } });
    const channel = await client.acquire();
    const { deliveryTag = 0 } = (await channel.basicGet('mortal')) ?? {};
    channel.basicNack({ deliveryTag, requeue: false });
    const rejected = await fromTheGrave(client);
    expect(rejected).toMatchObject({ body: 'second', headers: { 'x-death': [{ reason: 'rejected' }] } });
    await publish(client, { headers: rejected.headers }, 'second');
    await publish(client, {}, 'third');
    expect((await fromTheGrave(client)).headers?.['x-death']).toMatchObject([
      { reason: 'maxlen' },
      { reason: 'rejected' },
    ]);
  });

  it('does not go in circles', async () => {
    const client = await newClient();
    await client.queueDeclare({ queue: 'dead', arguments: { ...deadLetters, 'x-message-ttl': 1 } });
    await publish(client, { routingKey: 'dead' }, 'again?');
    const count = async () => (await client.queueDeclare({ queue: 'dead', passive: true })).messageCount;
    await vi.waitFor(async () => expect(await count()).toBe(0));
  });
});
