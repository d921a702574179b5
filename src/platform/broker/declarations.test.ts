import { describe, expect, it } from 'vitest';
import { brokerParts } from '../../../test/broker/broker-parts.js';
import { rabbitmqUrl } from '../../../test/harness/rabbitmq.js';
import { TestWorker } from '../../../test/workers/test-worker.js';
import { queueInfo } from './declare.js';

const call = { id: 'call', timeoutMs: 5_000, signal: new AbortController().signal };

describe('what is declared at the broker', () => {
  const [url, otherUrl] = [rabbitmqUrl(), rabbitmqUrl()];

  it('is there after a start, with a queue for each type, and may be declared over and over', async () => {
    const { broker, declarations } = brokerParts(url, { remoteTypes: ['declared'], remoteScrapers: ['sites'] });
    await declarations.declareAll();
    await Promise.all([declarations.declareAll(), brokerParts(url).declarations.declareAll()]);
    const names = ['instagram', 'twitter', 'rss', 'declared', 'dlq'].map((type) => `fetch.${type}`);
    for (const name of [...names, 'scrape.sites']) {
      expect(await queueInfo(broker, name), name).toEqual({ messages: 0, consumers: 0 });
    }
    expect(await queueInfo(broker, 'fetch.unknown')).toBeUndefined();
  });

  it('hands commands that nobody takes in time to fetch.dlq', async () => {
    const { broker, config, declarations } = brokerParts(url, { remoteTypes: ['expires'] });
    await declarations.declareAll();
    const envelope = { exchange: config.rabbitmqExchange, routingKey: 'fetch.expires', expiration: '1' };
    await broker.publish(envelope, { some: 'command' });
    await expect.poll(() => queueInfo(broker, 'fetch.dlq')).toMatchObject({ messages: 1 });
  });

  it('hands commands that workers take again and again without an answer to fetch.dlq', async () => {
    const { broker, config, declarations } = brokerParts(otherUrl, { remoteTypes: ['deadly'] });
    await declarations.declareAll();
    await broker.publish({ exchange: config.rabbitmqExchange, routingKey: 'fetch.deadly' }, { some: 'command' });
    const channel = await broker.channel();
    let deliveries = 0;
    await channel.basicConsume({ queue: 'fetch.deadly' }, ({ deliveryTag }) => {
      deliveries += 1;
      channel.basicNack({ deliveryTag, requeue: true });
    });
    await expect.poll(() => queueInfo(broker, 'fetch.dlq'), { timeout: 20_000 }).toMatchObject({ messages: 1 });
    expect(deliveries).toBe(21);
  });

  it('may have been declared by others with other arguments, which is logged once, and is used as it is', async () => {
    const theirs = brokerParts(url);
    const channel = await theirs.broker.channel();
    await channel.queueDeclare({ queue: 'fetch.odd', durable: true, arguments: { 'x-message-ttl': 1_000 } });
    const { declarations, lines, rpc } = brokerParts(url, { remoteTypes: ['odd'] });
    await declarations.declareAll();
    await declarations.declareAll();

    expect(declarations.errorOf('fetch.odd')).toBeUndefined();
    const said = lines.filter(({ name }) => name === 'fetch.odd');
    expect(said).toMatchObject([{ level: 30, event: 'broker_declaration_differs' }]);
    expect(said[0]?.msg).toMatch(
      /^the queue fetch\.odd exists with another x-.*: it is .*, and Millrace would declare .*\. It is used as it is$/,
    );
    await TestWorker.on(url, 'fetch.odd', () => 'fine');
    expect(Buffer.from(await rpc.call('fetch.odd', {}, call)).toString()).toBe('"fine"');
  });

  it('says why a queue was refused, and goes on without that queue', async () => {
    const channel = await brokerParts(url).broker.channel();
    await channel.queueDeclare({ queue: 'fetch.locked', exclusive: true });
    const { broker, declarations, presence } = brokerParts(url, { remoteTypes: ['locked', 'open'] });
    await declarations.declareAll();
    expect(declarations.errorOf('fetch.locked')).toMatch(/RESOURCE_LOCKED.*Until then it is not used$/);
    expect(await queueInfo(broker, 'fetch.open')).toEqual({ messages: 0, consumers: 0 });
    await expect(presence.check('fetch.locked')).rejects.toMatchObject({ code: 'NO_QUEUE' });
    await expect(queueInfo(broker, 'fetch.locked')).rejects.toMatchObject({ code: 'NO_QUEUE' });
  });

  it('may be classic queues', async () => {
    const { broker, declarations, lines } = brokerParts(url, { remoteTypes: ['old'], rabbitmqQueueType: 'classic' });
    await declarations.declareAll();
    expect(await queueInfo(broker, 'fetch.old')).toEqual({ messages: 0, consumers: 0 });
    // The other queues exist as quorum queues, and are used as they are.
    const said = lines.find(({ name }) => name === 'fetch.instagram')?.msg;
    expect(said).toContain('it is quorum, and Millrace would declare classic');
  });
});

describe('publish', () => {
  const url = rabbitmqUrl();

  it('fails with a message that no queue takes, and with none that one does', async () => {
    const { broker, declarations } = brokerParts(url);
    await declarations.declareAll();
    const sending = ['fetch.dlq', 'nowhere', 'fetch.dlq'].map((routingKey) =>
      broker.publish({ routingKey }, { routingKey }),
    );
    expect(await Promise.allSettled(sending)).toMatchObject([
      { status: 'fulfilled' },
      { reason: { code: 'NO_QUEUE', message: expect.stringContaining('nowhere') } },
      { status: 'fulfilled' },
    ]);
  });

  it('fails with UNREACHABLE while there is no broker', async () => {
    const { broker } = brokerParts('amqp://127.0.0.1:1');
    await expect(broker.publish({ routingKey: 'fetch.dlq' }, {})).rejects.toMatchObject({ code: 'UNREACHABLE' });
  });
});
