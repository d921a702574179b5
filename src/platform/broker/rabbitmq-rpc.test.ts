import { randomUUID } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { AsyncMessage } from 'rabbitmq-client';
import { describe, expect, it } from 'vitest';
import { brokerParts } from '../../../test/broker/broker-parts.js';
import { rabbitmqUrl } from '../../../test/harness/rabbitmq.js';
import { MetricsText } from '../../../test/metrics/metrics-text.js';
import { lineTo } from '../../../test/scraping/cut-line.js';
import { type Answer, TestWorker } from '../../../test/workers/test-worker.js';
import type { Metrics } from '../metrics/metrics.js';
import { queueInfo } from './declare.js';
import type { WorkerRpc } from './worker-rpc.js';

const WAIT_OPTIONS = { timeout: 20_000 };

/** Counts the answers that a call waited for, and those that were late or unknown. */
async function answersOf(metrics: Metrics, queue: string) {
  const text = new MetricsText(await metrics.render());
  const dropped = (reason: string) => text.value('millrace_rpc_answers_dropped_total', { reason });
  return {
    answered: text.value('millrace_rpc_duration_seconds', { queue, outcome: 'answered' }),
    late: dropped('late'),
    unknown: dropped('unknown'),
  };
}

describe('a call', () => {
  const url = rabbitmqUrl();
  let queues = 0;

  /** The type is unique, so that no other test's worker answers. */
  async function queueWith(answer?: Answer, ourUrl = url) {
    const type = `rpc-${++queues}`;
    const queue = `fetch.${type}`;
    const parts = brokerParts(ourUrl, { remoteTypes: [type] });
    await parts.declarations.declareAll();
    const worker = answer ? await TestWorker.on(url, queue, answer) : undefined;
    return { ...parts, queue, worker };
  }

  const call = async (
    rpc: WorkerRpc,
    queue: string,
    given: { id?: string; timeoutMs?: number; signal?: AbortSignal } = {},
  ) => {
    const body = await rpc.call(
      queue,
      { hello: 'worker' },
      { id: randomUUID(), timeoutMs: 20_000, signal: new AbortController().signal, ...given },
    );
    return Buffer.from(body).toString();
  };

  it('is answered with the bytes that the worker sent, whatever they are', async () => {
    const { rpc, queue } = await queueWith(() => Buffer.from('{not json'));
    expect(await call(rpc, queue)).toBe('{not json');
  });

  it('comes before others in a queue with priorities', async () => {
    const queue = `fetch.rpc-${++queues}`;
    const remoteTypes = [queue.slice('fetch.'.length)];
    const { rpc, broker, declarations } = brokerParts(url, { remoteTypes, rabbitmqQueueType: 'classic' });
    await declarations.declareAll();
    const channel = await broker.channel();
    await channel.basicQos({ prefetchCount: 1 });
    const taken: AsyncMessage[] = [];
    await channel.basicConsume({ queue }, (message) => void taken.push(message));
    const calling = new AbortController();
    const calls = ['first', 'usual', 'urgent'].map((id) =>
      rpc
        .call(queue, {}, { id, timeoutMs: 20_000, priority: id === 'urgent' ? 5 : undefined, signal: calling.signal })
        .catch(() => undefined),
    );
    await expect.poll(() => queueInfo(broker, queue), WAIT_OPTIONS).toMatchObject({ messages: 2 });
    for (let at = 0; at < 3; at++) {
      await expect.poll(() => taken.length, WAIT_OPTIONS).toBe(at + 1);
      channel.basicAck({ deliveryTag: taken[at]?.deliveryTag ?? 0 });
    }
    calling.abort();
    await Promise.all(calls);
    // One of them was taken before the others arrived.
    expect(taken.map(({ messageId }) => messageId).indexOf('urgent')).toBeLessThan(2);
  });

  it('carries its id, where to answer, and how long anybody waits', async () => {
    const { rpc, queue, worker, config } = await queueWith(() => ({}));
    await call(rpc, queue, { id: 'call-1', timeoutMs: 12_345 });
    expect(worker?.messages[0]).toMatchObject({
      correlationId: 'call-1',
      messageId: 'call-1',
      exchange: config.rabbitmqExchange,
      routingKey: queue,
      replyTo: expect.stringContaining('amq.rabbitmq.reply-to'),
      body: { hello: 'worker' },
    });
    const expiration = Number(worker?.messages[0]?.expiration);
    expect(expiration).toBeGreaterThan(0);
    expect(expiration).toBeLessThanOrEqual(12_345);
  });

  it('is one of thousands in flight, each answered with its own', async () => {
    const { rpc, queue } = await queueWith((_, { correlationId }) => correlationId);
    const ids = Array.from({ length: 5_000 }, (_, number) => `many-${number}`);
    const answers = await Promise.all(ids.map((id) => call(rpc, queue, { id })));
    expect(answers).toEqual(ids.map((id) => JSON.stringify(id)));
  });

  it('fails at once where nobody works, and leaves no message behind', async () => {
    const { rpc, queue, broker } = await queueWith();
    await expect(call(rpc, queue)).rejects.toMatchObject({
      code: 'NO_WORKER',
      message: expect.stringContaining(queue),
    });
    const channel = await broker.channel();
    expect(await channel.queueDeclare({ queue, passive: true })).toMatchObject({ messageCount: 0 });
  });

  it('fails where there is no such queue, before and after a worker was seen', async () => {
    const { rpc, queue, presence } = await queueWith(() => ({}));
    await expect(call(rpc, 'fetch.never-made')).rejects.toMatchObject({ code: 'NO_QUEUE' });
    presence.seen('fetch.never-made');
    await expect(call(rpc, 'fetch.never-made')).rejects.toMatchObject({ code: 'NO_QUEUE' });
    expect(await call(rpc, queue)).toBe('{}');
  });

  it('finds its queue again after somebody has deleted it', async () => {
    const { rpc, queue, broker, worker } = await queueWith(() => ({}));
    await worker?.stop();
    const channel = await broker.channel();
    await channel.queueDelete({ queue });
    await expect(call(rpc, queue)).rejects.toMatchObject({ code: 'NO_WORKER' });
    await TestWorker.on(url, queue, () => 'back');
    await expect.poll(() => call(rpc, queue).catch(({ code }) => code), WAIT_OPTIONS).toBe('"back"');
  });

  it('tells a slow worker from none: its time runs out, and the late answer is counted and dropped', async () => {
    let release: (() => void) | undefined;
    const { rpc, queue, metrics } = await queueWith(async (_, { correlationId }) => {
      if (correlationId === 'at once') return 'here';
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return 'too late';
    });
    await call(rpc, queue, { id: 'at once' });
    await expect(call(rpc, queue, { timeoutMs: 2_000 })).rejects.toMatchObject({ code: 'NO_ANSWER' });
    await expect.poll(() => release, WAIT_OPTIONS).toBeTruthy();
    release?.();
    await expect.poll(() => answersOf(metrics, queue), WAIT_OPTIONS).toEqual({ answered: 1, late: 1, unknown: 0 });
  });

  it('drops answers to nobody, and a second answer to the same', async () => {
    const { rpc, queue, worker, metrics } = await queueWith(() => 'once');
    await call(rpc, queue, { id: 'doubled' });
    const [message] = worker?.messages ?? [];
    if (!message) throw new Error('the worker got nothing');
    await worker?.reply(message, 'twice');
    await worker?.reply({ ...message, correlationId: 'never-sent' }, 'what?');
    await worker?.reply({ ...message, correlationId: undefined } as never, 'nothing');
    await expect.poll(() => answersOf(metrics, queue), WAIT_OPTIONS).toEqual({ answered: 1, late: 0, unknown: 3 });
  });

  it('refuses an answer that is too large, without reading it', async () => {
    const { rpc, queue } = await queueWith(() => Buffer.alloc(50 * 1024 * 1024, '['));
    const refusal = { code: 'ANSWER_TOO_LARGE', message: 'the answer has 50.0 MB, 10.0 MB are allowed' };
    await expect(call(rpc, queue)).rejects.toMatchObject(refusal);
  });

  it('ends when its signal does', async () => {
    const { rpc, queue } = await queueWith(() => undefined);
    const stop = new AbortController();
    const calling = call(rpc, queue, { signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 100);
    await expect(calling).rejects.toThrow('enough');
    await expect(call(rpc, queue, { signal: stop.signal })).rejects.toThrow('enough');
  });

  it('ends when its time or its signal does, also while RabbitMQ does not answer', async () => {
    const line = await lineTo(url);
    const { rpc, queue, presence } = await queueWith(() => ({}), line.url);
    line.hold();
    await expect(call(rpc, queue, { timeoutMs: 300 })).rejects.toMatchObject({ code: 'NO_ANSWER' });
    const stop = new AbortController();
    const calling = call(rpc, queue, { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(calling).rejects.toThrow('enough');
    const looking = presence.check(queue);
    line.cut();
    await expect(looking).rejects.toMatchObject({ code: 'UNREACHABLE' });
  });

  it('fails at once while RabbitMQ takes no messages, which it does not read then', async () => {
    const { rpc, queue, broker } = await queueWith(() => 'there');
    const channel = await broker.channel();
    // The library emits this when RabbitMQ is short of memory or disk space.
    const connection = (channel as unknown as { _conn: EventEmitter })._conn;
    connection.emit('connection.blocked', 'low on memory');
    await expect(call(rpc, queue)).rejects.toMatchObject({ code: 'UNREACHABLE' });
    connection.emit('connection.unblocked');
    expect(await call(rpc, queue)).toBe('"there"');
  });

  it('fails when its worker dies and none comes in its place', { timeout: 60_000 }, async () => {
    const { rpc, queue, worker } = await queueWith(() => new Promise(() => undefined));
    const calling = call(rpc, queue, { timeoutMs: 50_000 });
    await expect.poll(() => worker?.messages.length, WAIT_OPTIONS).toBe(1);
    await Promise.all([worker?.stop(), expect(calling).rejects.toMatchObject({ code: 'NO_WORKER' })]);
  });

  it('is answered by another worker when its own dies', async () => {
    const { rpc, queue, worker } = await queueWith(() => new Promise(() => undefined));
    const calling = call(rpc, queue, { id: 'taken over' });
    await expect.poll(() => worker?.messages.length, WAIT_OPTIONS).toBe(1);
    const other = await TestWorker.on(url, queue, (_, { redelivered }) => ({ redelivered }));
    await worker?.stop();
    expect(await calling).toBe('{"redelivered":true}');
    expect(other.messages).toHaveLength(1);
  });

  it('fails with every other when the connection is lost, and the next one goes through', async () => {
    const { rpc, queue, broker, worker } = await queueWith((_, { correlationId }) =>
      correlationId === 'after' ? 'there' : new Promise(() => undefined),
    );
    const lost = Promise.allSettled([call(rpc, queue, { id: 'a' }), call(rpc, queue, { id: 'b' })]);
    await expect.poll(() => worker?.messages.length, WAIT_OPTIONS).toBe(2);
    const channel = await broker.channel();
    // This closes the whole connection, because RabbitMQ takes it for a broken client.
    (channel as unknown as { _conn: { _socket: { destroy(): void } } })._conn._socket.destroy();
    const reason = { code: 'UNREACHABLE' };
    expect(await lost).toMatchObject([{ reason }, { reason }]);
    await expect.poll(() => call(rpc, queue, { id: 'after' }).catch(({ code }) => code), WAIT_OPTIONS).toBe('"there"');
  });

  it('says so where RabbitMQ is not configured or not there', async () => {
    const nowhere = brokerParts('amqp://127.0.0.1:1');
    await expect(call(nowhere.rpc, 'fetch.instagram')).rejects.toMatchObject({ code: 'UNREACHABLE' });
    const none = brokerParts('', { rabbitmqUrl: undefined });
    await expect(call(none.rpc, 'fetch.instagram')).rejects.toMatchObject({ code: 'NOT_CONFIGURED' });
  });
});
