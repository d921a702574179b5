import type { AsyncMessage, Channel, Connection, ReturnedMessage } from 'rabbitmq-client';
import { describe, expect, it, vi } from 'vitest';
import { clientOf, demoBroker, newClient } from '../../../test/broker/demo-broker.js';

/** Takes whatever comes, and acknowledges nothing. */
async function taker(client: Connection, queue: string, prefetchCount = 0) {
  const channel = await client.acquire();
  await channel.basicQos({ prefetchCount });
  const taken: AsyncMessage[] = [];
  await channel.basicConsume({ queue }, (message) => void taken.push(message));
  return { channel, taken, bodies: () => taken.map(({ body }) => body) };
}

async function queueWith(client: Connection, queue: string, ...bodies: unknown[]): Promise<Channel> {
  await client.queueDeclare({ queue });
  const channel = await client.acquire();
  await channel.confirmSelect();
  for (const body of bodies) await channel.basicPublish(queue, body);
  return channel;
}

describe('a message', () => {
  it('comes as it was sent, in however many frames', async () => {
    const client = await newClient();
    const headers = {
      ...{ text: 'é', yes: true, nothing: null, whole: -7, broken: 1.5, large: 2 ** 40, bytes: 'x'.repeat(70_000) },
      ...{ list: [1, 'a', [false], { deep: {} }], table: { a: { b: [] } } },
    };
    const properties = {
      ...{ headers, contentType: 'application/x-note', contentEncoding: 'none', correlationId: 'c', replyTo: 'r' },
      ...{ messageId: 'm', type: 't', appId: 'a', timestamp: 1_700_000_000, priority: 3, expiration: '60000' },
    };
    const body = Buffer.alloc(1_000_000, 'millrace');
    const channel = await queueWith(client, 'notes');
    await channel.basicPublish({ routingKey: 'notes', ...properties, headers: { ...headers, bytes: 'short' } }, body);
    await channel.basicPublish({ routingKey: 'notes' }, Buffer.alloc(0));
    const message = await channel.basicGet('notes');
    expect(message).toMatchObject({ ...properties, headers: { ...headers, bytes: 'short' }, messageCount: 1 });
    expect(body.equals(message?.body)).toBe(true);
    expect(await channel.basicGet('notes')).toMatchObject({ body: Buffer.alloc(0) });
    expect(await channel.basicGet('notes')).toBeUndefined();
  });

  it('that no queue takes is returned if that was asked for, and confirmed in any case', async () => {
    const client = await newClient();
    const channel = await queueWith(client, 'somewhere');
    const returned: ReturnedMessage[] = [];
    channel.on('basic.return', (message) => returned.push(message));
    await channel.basicPublish({ routingKey: 'somewhere', mandatory: true }, 'a');
    await channel.basicPublish({ routingKey: 'nowhere', mandatory: true }, 'b');
    await channel.basicPublish({ routingKey: 'nowhere' }, 'c');
    expect(returned).toMatchObject([{ body: 'b', replyCode: 312, replyText: 'NO_ROUTE', routingKey: 'nowhere' }]);
  });

  it('waits until its consumer has acknowledged the one before, if so many are taken at a time', async () => {
    const client = await newClient();
    await queueWith(client, 'work', 'a', 'b', 'c');
    const [first, second] = [await taker(client, 'work', 1), await taker(client, 'work', 1)];
    await vi.waitFor(() => expect([first.bodies(), second.bodies()]).toEqual([['a'], ['b']]));
    expect(await client.queueDeclare({ queue: 'work', passive: true })).toMatchObject({
      messageCount: 1,
      consumerCount: 2,
    });
    second.channel.basicAck({ deliveryTag: second.taken[0]?.deliveryTag ?? 0 });
    await vi.waitFor(() => expect(second.bodies()).toEqual(['b', 'c']));
    expect(first.bodies()).toEqual(['a']);
  });

  it('that was not acknowledged takes its old place again when its channel is closed', async () => {
    const client = await newClient();
    await queueWith(client, 'work', 'a', 'b', 'c', 'd');
    const first = await taker(client, 'work', 2);
    await vi.waitFor(() => expect(first.bodies()).toEqual(['a', 'b']));
    await first.channel.close();
    const second = await taker(client, 'work');
    await vi.waitFor(() => expect(second.bodies()).toEqual(['a', 'b', 'c', 'd']));
    expect(second.taken.map(({ redelivered }) => redelivered)).toEqual([true, true, false, false]);
  });

  it('may be given back, one or several at a time', async () => {
    const client = await newClient();
    const channel = await queueWith(client, 'work', 'a', 'b', 'c');
    const tags = [];
    for (const _ of 'abc') tags.push((await channel.basicGet('work'))?.deliveryTag ?? 0);
    channel.basicNack({ deliveryTag: tags[1] ?? 0, multiple: true, requeue: true });
    channel.basicAck({ deliveryTag: tags[2] ?? 0 });
    expect([(await channel.basicGet('work'))?.body, (await channel.basicGet('work'))?.body]).toEqual(['a', 'b']);
    expect(await channel.basicGet('work')).toBeUndefined();
  });

  it('is answered straight to whoever asked, past all queues', async () => {
    const broker = await demoBroker();
    const [asker, worker] = [clientOf(broker), clientOf(broker)];
    await worker.queueDeclare({ queue: 'questions' });
    const addresses: (string | undefined)[] = [];
    const consumer = worker.createConsumer({ queue: 'questions' }, async ({ body, replyTo }, reply) => {
      addresses.push(replyTo);
      await reply(`${body}? 42`);
    });
    const rpc = asker.createRPCClient({ confirm: false });
    expect((await rpc.send('questions', 'life')).body).toBe('life? 42');
    await rpc.close();
    const returned: string[] = [];
    const publisher = worker.createPublisher({ confirm: true });
    publisher.on('basic.return', ({ routingKey }) => returned.push(routingKey));
    await publisher.send({ routingKey: addresses[0] ?? '', mandatory: true }, 'too late');
    await vi.waitFor(() => expect(returned).toEqual(addresses));
    await consumer.close();
  });
});

describe('exchanges', () => {
  const arrivals = async (client: Connection, queues: string[]) => {
    const bodies = [];
    for (const queue of queues) bodies.push((await client.basicGet({ queue, noAck: true }))?.body);
    return bodies;
  };

  it('lead messages to the queues that are bound to them, by their types', async () => {
    const client = await newClient();
    const queues = ['one', 'two', 'three'];
    for (const queue of queues) await client.queueDeclare({ queue });
    for (const type of ['direct', 'fanout', 'topic']) await client.exchangeDeclare({ exchange: type, type });
    const keys = { direct: ['a', 'b', 'b'], fanout: ['', '', ''], topic: ['*.b', '#.c', 'a.#'] };
    for (const [exchange, [one, two, three]] of Object.entries(keys)) {
      const bindings = [one, two, three].map((routingKey = '', at) => ({
        exchange,
        routingKey,
        queue: queues[at] ?? '',
      }));
      for (const binding of bindings) await client.queueBind(binding);
    }
    const publisher = client.createPublisher({ confirm: true });
    const sent = async (exchange: string, routingKey: string) => {
      await publisher.send({ exchange, routingKey }, routingKey);
      return arrivals(client, queues);
    };
    expect(await sent('direct', 'b')).toEqual([undefined, 'b', 'b']);
    expect(await sent('fanout', 'x')).toEqual(['x', 'x', 'x']);
    expect(await sent('topic', 'a.b')).toEqual(['a.b', undefined, 'a.b']);
    expect(await sent('topic', 'a')).toEqual([undefined, undefined, 'a']);
    await client.queueUnbind({ exchange: 'direct', routingKey: 'b', queue: 'two' });
    expect(await sent('direct', 'b')).toEqual([undefined, undefined, 'b']);
  });

  it('may be bound to each other, also in a circle', async () => {
    const client = await newClient();
    for (const exchange of ['in', 'out']) await client.exchangeDeclare({ exchange, type: 'fanout' });
    await client.queueDeclare({ queue: 'end' });
    await client.queueBind({ exchange: 'out', queue: 'end' });
    await client.exchangeBind({ source: 'in', destination: 'out' });
    await client.exchangeBind({ source: 'out', destination: 'in' });
    const publisher = client.createPublisher({ confirm: true });
    await publisher.send({ exchange: 'in' }, 'through');
    expect(await arrivals(client, ['end', 'end'])).toEqual(['through', undefined]);
  });
});
