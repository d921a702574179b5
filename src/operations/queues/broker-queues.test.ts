import { createServer, type Socket } from 'node:net';
import { Connection } from 'rabbitmq-client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { ownRabbitmq, rabbitmqUrl } from '../../../test/harness/rabbitmq.js';
import { startSite } from '../../../test/harness/site.js';
import { FetchingModule } from '../../fetching/fetching.module.js';
import { Declarations } from '../../platform/broker/declarations.js';
import type { Config } from '../../platform/config.js';
import { ScrapingModule } from '../../scraping/scraping.module.js';
import { OperationsModule } from '../operations.module.js';
import type { BrokerQueueView, RabbitmqView } from './broker-queues.js';

const WAIT_OPTIONS = { timeout: 30_000, interval: 500 };
const database = testDatabase();

async function startMillrace(config: Partial<Config>) {
  const api = await startApi({
    databaseUrl: database.url,
    config: { adminKey: 'an-admin-key-for-queues-only', roles: new Set(['api', 'scheduler']), ...config },
    modules: [FetchingModule, ScrapingModule, OperationsModule],
  });
  onTestFinished(() => api.stop());
  if (config.rabbitmqUrl) await api.app.get(Declarations).declareAll();
  const get = async (path: string) =>
    (await api.send({ method: 'GET', url: path, key: 'an-admin-key-for-queues-only' })).json();
  return {
    lines: api.lines,
    get,
    async look(): Promise<RabbitmqView> {
      // Beyond the time for which figures are reused.
      api.clock.advance(6_000);
      return (await get('/api/v1/queues')).rabbitmq;
    },
    later: (ms: number) => api.clock.advance(ms),
  };
}

/** Another program at the broker, with one message that it has received and not acknowledged. */
async function newConsumer(url: string, queue: string) {
  const connection = new Connection({ url, noDelay: true });
  onTestFinished(() => connection.unsafeDestroy());
  const received: string[] = [];
  const channel = await connection.acquire();
  await channel.basicQos({ prefetchCount: 1 });
  await channel.basicConsume({ queue }, ({ body, deliveryTag }) => {
    received.push(body);
    if (body === 'keep') return;
    channel.basicAck({ deliveryTag });
  });
  const publisher = connection.createPublisher({ confirm: true });
  return { received, connection, send: (body: string, to = queue) => publisher.send({ routingKey: to }, body) };
}

const figuresOf = ({ queues }: RabbitmqView, queue: string): BrokerQueueView | undefined =>
  queues.find(({ name }) => name === queue);

describe('with the management API', () => {
  const rabbitmq = ownRabbitmq({ withManagement: true });

  it('queues of RabbitMQ show ready and unacknowledged messages, consumers and rates', async () => {
    const { url, managementUrl } = rabbitmq;
    const { look, get } = await startMillrace({ rabbitmqUrl: url, rabbitmqManagementUrl: managementUrl });
    const { send } = await newConsumer(url, 'fetch.twitter');
    for (const body of ['keep', 'x', 'x']) await send(body);
    // A rate needs messages in more than one interval of RabbitMQ's statistics.
    const sending = setInterval(() => send('x').catch(() => undefined), 200);
    onTestFinished(() => clearInterval(sending));
    const view = await vi.waitFor(async () => {
      const looked = await look();
      expect(figuresOf(looked, 'fetch.twitter')?.publishedPerSecond).toBeGreaterThan(0);
      return looked;
    }, WAIT_OPTIONS);
    expect(view).toMatchObject({ source: 'management', error: null });
    expect(figuresOf(view, 'fetch.twitter')).toMatchObject({
      ready: expect.any(Number),
      unacknowledged: 1,
      consumers: 1,
      deliveredPerSecond: expect.any(Number),
      acknowledgedPerSecond: 0,
    });
    expect(figuresOf(view, 'failed_jobs')).toMatchObject({ ready: 0, unacknowledged: 0, publishedPerSecond: 0 });
    const names = ['failed_jobs', 'fetch.dlq', 'fetch.instagram', 'fetch.rss', 'fetch.twitter', 'millrace.canary'];
    expect(view.queues.map(({ name }) => name)).toEqual([...names, 'scrape_jobs']);
    expect((await get('/api/v1/health')).stats.rabbitmq.queues).toHaveLength(7);
  });

  it('a refused user is reported once, without its password, and what can be known is shown', async () => {
    const managementUrl = rabbitmq.managementUrl.replace('//', '//guest:hunter2@');
    const millrace = await startMillrace({ rabbitmqUrl: rabbitmq.url, rabbitmqManagementUrl: managementUrl });
    const view = await millrace.look();
    const error =
      `The management API of RabbitMQ at ${new URL(rabbitmq.managementUrl).origin} cannot be used: ` +
      'it refused the user; check the name, the password and the tag `management`.';
    expect(view).toMatchObject({ source: 'passive_declare', error });
    expect(figuresOf(view, 'fetch.rss')).toMatchObject({ ready: 0, consumers: 0, unacknowledged: null });
    await millrace.look();
    millrace.later(60_000);
    await millrace.look();
    const { lines } = millrace;
    expect(lines.filter(({ event }) => event === 'rabbitmq_management_failed')).toMatchObject([{ msg: error }]);
    expect(JSON.stringify(lines)).not.toContain('hunter2');
  });

  it('a virtual host that it does not know is reported', async () => {
    const site = await startSite((_, response) => response.writeHead(404).end('{"error":"Object Not Found"}'));
    const { look } = await startMillrace({
      rabbitmqUrl: rabbitmq.url,
      rabbitmqManagementUrl: site.url('/', '127.0.0.1'),
    });
    expect((await look()).error).toContain('it answered 404; check the URL and the virtual host test-0.');
  });
});

describe('without a management API that works', () => {
  const url = rabbitmqUrl();

  it('queues show ready messages and consumers, and a missing one disturbs no consumer', async () => {
    const { look } = await startMillrace({ rabbitmqUrl: url });
    const { received, connection, send } = await newConsumer(url, 'fetch.twitter');
    await send('stays', 'fetch.instagram');
    await connection.queueDelete('fetch.rss');
    await vi.waitFor(async () => {
      const view = await look();
      expect(view).toMatchObject({ source: 'passive_declare', error: null });
      expect(figuresOf(view, 'fetch.instagram')).toMatchObject({ ready: 1, consumers: 0, publishedPerSecond: null });
      expect(figuresOf(view, 'fetch.twitter')).toMatchObject({ ready: 0, consumers: 1 });
      expect(figuresOf(view, 'fetch.rss')).toMatchObject({ ready: null, consumers: null });
    }, WAIT_OPTIONS);
    await send('afterwards');
    await expect.poll(() => received).toContain('afterwards');
  });

  const wrong = (body: string) => async () =>
    (await startSite((_, response) => response.end(body))).url('/', '127.0.0.1');

  it.each<{ what: string; start: () => Promise<string>; error: string }>([
    { what: 'does not listen', start: async () => 'http://127.0.0.1:2/', error: 'ECONNREFUSED' },
    { what: 'does not answer', start: silentServer, error: 'it did not answer within 2 seconds' },
    { what: 'is no HTTP server', start: () => talkingServer('SSH-2.0-x\r\n\r\n'), error: 'HPE_' },
    { what: 'answers HTML', start: wrong('<h1>Hello</h1>'), error: 'it answers with something that is no JSON' },
    { what: 'answers JSON of another kind', start: wrong('{"items":[{}]}'), error: 'items.0.name' },
    { what: 'answers without end', start: wrong(' '.repeat(2_000_001)), error: 'more than 2,000,000 bytes' },
  ])('one that $what is reported in a sentence', async ({ start, error }) => {
    const { look } = await startMillrace({ rabbitmqUrl: url, rabbitmqManagementUrl: await start() });
    const view = await look();
    expect(view.error).toMatch(/^The management API of RabbitMQ at http:\/\/127\.0\.0\.1:\d+ cannot be used: .*\.$/);
    expect(view.error).toContain(error);
    expect(figuresOf(view, 'scrape_jobs')).toMatchObject({ ready: 0, consumers: 0 });
  });

  it('is used again once it answers', async () => {
    let isBroken = true;
    const items = [{ name: 'scrape_jobs', messages_ready: 7, messages_unacknowledged: 2, consumers: 1 }];
    const site = await startSite((_, response) => {
      if (isBroken) response.writeHead(500).end();
      else response.end(JSON.stringify({ items }));
    });
    const millrace = await startMillrace({
      rabbitmqUrl: url,
      rabbitmqManagementUrl: site.url('/', '127.0.0.1'),
    });
    expect((await millrace.look()).error).toContain('it answered 500.');
    isBroken = false;
    millrace.later(30_000);
    const view = await millrace.look();
    expect(view).toMatchObject({ source: 'management', error: null });
    expect(figuresOf(view, 'scrape_jobs')).toMatchObject({ ready: 7, unacknowledged: 2, publishedPerSecond: 0 });
    // It says nothing of this queue, so that is looked at directly.
    expect(figuresOf(view, 'failed_jobs')).toMatchObject({ ready: 0, unacknowledged: null });
    expect(millrace.lines.some(({ event }) => event === 'rabbitmq_management_restored')).toBe(true);
  });
});

it('a broker that cannot be reached is reported, and without a broker there is nothing to show', async () => {
  const away = await startApi({
    databaseUrl: database.url,
    config: { adminKey: 'an-admin-key-for-queues-only', rabbitmqUrl: 'amqp://127.0.0.1:1', roles: new Set(['api']) },
    modules: [OperationsModule],
  });
  onTestFinished(() => away.stop());
  const ask = async ({ send }: typeof away) =>
    (await send({ method: 'GET', url: '/api/v1/queues', key: 'an-admin-key-for-queues-only' })).json();
  expect((await ask(away)).rabbitmq).toMatchObject({ error: 'RabbitMQ cannot be reached at the moment.' });
  const { get } = await startMillrace({});
  expect((await get('/api/v1/queues')).rabbitmq).toBeNull();
});

const silentServer = () => talkingServer('');

async function talkingServer(says: string): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.write(says);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => server.close(closed));
  });
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('the server does not listen');
  return `http://127.0.0.1:${address.port}/`;
}
