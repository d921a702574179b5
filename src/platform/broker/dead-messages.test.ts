import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { Connection } from 'rabbitmq-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Api, startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { rabbitmqUrl } from '../../../test/harness/rabbitmq.js';
import { deadLetters } from '../jobs/dead-letters/dead-letters.table.js';
import { Broker } from './broker.js';
import { type DeadMessage, DeadMessages, toDeadMessage } from './dead-messages.js';

@Module({})
class Collector implements OnApplicationBootstrap {
  constructor(private readonly deadMessages: DeadMessages) {}

  onApplicationBootstrap() {
    this.deadMessages.collect('dead');
    this.deadMessages.collect('dead.sources', {
      subjectOf: ({ body }) => (body as { sourceId?: string } | null)?.sourceId,
    });
  }
}

const given = testDatabase();
const rabbitmq = rabbitmqUrl();
let api: Api;
let connection: Connection;
beforeAll(async () => {
  connection = new Connection({ url: rabbitmq, noDelay: true });
  for (const queue of ['dead', 'dead.sources']) await connection.queueDeclare({ queue, durable: true });
  api = await startApi({ databaseUrl: given.url, config: { rabbitmqUrl: rabbitmq }, modules: [Collector] });
});
afterAll(async () => {
  await api?.stop();
  connection.unsafeDestroy();
});

const letters = async () => given.database.db.select().from(deadLetters);
const letterOf = (body: unknown) =>
  vi.waitFor(
    async () => {
      const letter = (await letters()).find(({ payload }) => (payload as DeadMessage).body === body);
      if (!letter) throw new Error(`no letter of ${body}`);
      return letter;
    },
    { timeout: 20_000, interval: 50 },
  );
const publish = async (routingKey: string, body: unknown, envelope = {}) =>
  connection.createPublisher({ confirm: true }).send({ routingKey, ...envelope }, body);

describe('dead messages', () => {
  it('become letters that tell where they were and what happened', async () => {
    const deadLettering = { 'x-dead-letter-exchange': '', 'x-dead-letter-routing-key': 'dead' };
    await connection.queueDeclare({ queue: 'tiny', arguments: { 'x-max-length': 1, ...deadLettering } });
    await publish('tiny', 'first');
    await publish('tiny', 'second');
    expect(await letterOf('first')).toMatchObject({
      queue: 'dead',
      jobName: 'tiny',
      reason: 'the queue tiny was full',
      state: 'open',
      payload: { exchange: '', routingKey: 'tiny', encoding: 'text', contentType: 'text/plain' },
    });
    const channel = await connection.acquire();
    const { deliveryTag = 0 } = (await channel.basicGet('tiny')) ?? {};
    channel.basicNack({ deliveryTag, requeue: false });
    expect(await letterOf('second')).toMatchObject({ reason: 'a consumer of the queue tiny rejected it' });
    await channel.close();
  });

  it('survive headers of every kind', async () => {
    const headers = {
      text: 'a',
      number: 1.5,
      yes: true,
      nothing: null,
      list: [1, 'b', { c: [] }],
      table: { d: { e: null } },
      'x-death': [[], 1],
      'x-millrace-reason': ['no'],
      CC: ['elsewhere'],
      long: 'x'.repeat(5_000),
    };
    await publish('dead', 'with headers', { headers });
    const letter = await letterOf('with headers');
    expect(letter).toMatchObject({ jobName: 'message', reason: 'it was put there without a reason' });
    expect((letter.payload as DeadMessage).headers).toEqual({ text: 'a', number: 1.5, yes: true });
  });

  it('about the same are one open letter', async () => {
    const commands = Array.from({ length: 10 }, (_, at) => ({ sourceId: `source ${at % 2} ${'x'.repeat(5_000)}`, at }));
    await Promise.all(commands.map((command) => publish('dead.sources', command)));
    await publish('dead.sources', 'about nothing');
    await letterOf('about nothing');
    await vi.waitFor(async () => {
      expect((await connection.queueDeclare({ queue: 'dead.sources', passive: true })).messageCount).toBe(0);
      expect((await letters()).filter(({ queue }) => queue === 'dead.sources')).toHaveLength(3);
    });
  });
});

describe('a dead message', () => {
  const dead = (body: string, more = {}) =>
    toDeadMessage({
      consumerTag: '',
      deliveryTag: 1,
      redelivered: false,
      exchange: '',
      routingKey: '',
      contentType: 'text/x-note',
      body: Buffer.from(body),
      headers: { tenant: 'acme', CC: ['dead'] },
      ...more,
    }).dead;
  const again = (message: DeadMessage, queue: string) => api.app.get(DeadMessages).republish(queue, message);

  it('is published again as it was', async () => {
    await connection.queueDeclare({ queue: 'again' });
    await again(dead('{"a": 1}', { correlationId: 'c' }), 'again');
    const message = await connection.basicGet('again');
    expect(message).toMatchObject({ contentType: 'text/x-note', correlationId: 'c', headers: { tenant: 'acme' } });
    expect(JSON.parse(String(message?.body))).toEqual({ a: 1 });
    expect(await connection.queueDeclare({ queue: 'again' })).toMatchObject({ messageCount: 0 });
  });

  it('is given up where no queue takes it, or a part of it is missing', async () => {
    await expect(again(dead('a'), 'nowhere')).rejects.toMatchObject({ name: 'GiveUp', message: /no queue/ });
    await expect(again(dead('x'.repeat(300_000)), 'dead')).rejects.toMatchObject({ name: 'GiveUp', message: /300000/ });
  });

  it('waits, at no cost, for a broker that is not there', async () => {
    const config = { ...api.config, rabbitmqUrl: undefined };
    const without = new DeadMessages(config, new Broker(config, console as never), given.database);
    await expect(without.republish('dead', dead('a'))).rejects.toMatchObject({ name: 'RetryLater' });
  });
});
