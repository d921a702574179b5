import { Connection } from 'rabbitmq-client';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { brokerParts } from '../../../test/broker/broker-parts.js';
import { rabbitmqUrl } from '../../../test/harness/rabbitmq.js';
import { lineTo } from '../../../test/scraping/cut-line.js';
import { parseConfig } from '../config.js';
import { createLog } from '../log/log.js';
import { Broker } from './broker.js';
import type { RawMessage } from './raw-bodies.js';

const url = rabbitmqUrl();
const config = parseConfig({ RABBITMQ_URL: url, MILLRACE_LOG_LEVEL: 'silent' });
let sender: Connection;
let broker: Broker;
beforeAll(() => {
  sender = new Connection({ url, noDelay: true });
  broker = new Broker(config, createLog(config));
});
afterAll(async () => {
  await broker.onModuleDestroy();
  await broker.onApplicationShutdown();
  sender.unsafeDestroy();
});

const publish = (queue: string, body: string, contentType = 'application/json') =>
  sender.createPublisher({ confirm: true }).send({ routingKey: queue, contentType }, Buffer.from(body));
const eventually = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 20_000, interval: 50 });

it('hands over bodies as they were sent, whatever they are said to be', async () => {
  await sender.queueDeclare({ queue: 'bodies' });
  const taken: RawMessage[] = [];
  broker.consume('bodies', 1, async (message) => void taken.push(message));
  const sent: [string, string][] = [
    ['{ "a": 1 }', 'application/json'],
    ['{ "a": ', 'application/json'],
    ['plain', 'text/plain'],
  ];
  for (const [body, contentType] of sent) await publish('bodies', body, contentType);
  await eventually(() => expect(taken).toHaveLength(3));
  expect(taken.map(({ body, contentType }) => [Buffer.isBuffer(body) && String(body), contentType])).toEqual(sent);
});

it('acknowledges a message after it was handled, and tries until then', async () => {
  await sender.queueDeclare({ queue: 'patience' });
  const tries: string[] = [];
  broker.consume('patience', 1, async ({ body }) => {
    tries.push(String(body));
    if (tries.length < 3) throw new Error('not yet');
  });
  await publish('patience', 'a');
  await publish('patience', 'b');
  await eventually(() => expect(tries).toEqual(['a', 'a', 'a', 'b']));
});

it('gives what it could not handle back when it stops', async () => {
  await sender.queueDeclare({ queue: 'returns' });
  broker.consume('returns', 1, async () => {
    throw new Error('never');
  });
  await publish('returns', 'kept');
  const unhandled = async () => (await sender.queueDeclare({ queue: 'returns', passive: true })).messageCount;
  await eventually(async () => expect(await unhandled()).toBe(0));
  await broker.onModuleDestroy();
  await eventually(async () => expect(await unhandled()).toBe(1));
});

it('stops while RabbitMQ does not answer, and leaves the message to others', async () => {
  await sender.queueDeclare({ queue: 'deaf' });
  const line = await lineTo(url);
  const { broker: deaf, lines } = brokerParts(line.url);
  let taken = 0;
  deaf.consume('deaf', 1, async () => void (await new Promise(() => taken++)));
  await publish('deaf', 'kept');
  await eventually(() => expect(taken).toBe(1));
  line.hold();
  await deaf.onModuleDestroy();
  expect(lines.map(({ msg }) => msg)).not.toContainEqual(expect.stringContaining('cannot be reached'));
  line.cut();
  await eventually(async () => expect(await sender.queueDeclare({ queue: 'deaf' })).toMatchObject({ messageCount: 1 }));
});

it('says once that RabbitMQ is not there, however many consume', async () => {
  const { broker: away, declarations, lines } = brokerParts('amqp://127.0.0.1:1');
  for (const queue of ['a', 'b', 'c']) away.consume(queue, 1, async () => undefined);
  // This fails after a while, and so have the consumers by then.
  await expect(declarations.declareAll()).rejects.toMatchObject({ code: 'UNREACHABLE' });
  await expect(declarations.declareAll()).rejects.toMatchObject({ code: 'UNREACHABLE' });
  expect(lines.filter(({ level }) => Number(level) >= 30)).toMatchObject([
    { msg: 'RabbitMQ connection lost, retrying' },
  ]);
});
