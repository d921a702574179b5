import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Metrics } from '../metrics/metrics.js';
import { BrokerError, type BrokerErrorCode } from './broker-error.js';
import { RpcMetrics } from './rpc-metrics.js';
import type { Call } from './waiting-calls.js';
import { WorkerRpc } from './worker-rpc.js';

const Answer = z.object({ jobId: z.string(), text: z.string() });

const SILENT = pino({ level: 'silent' });

/** Answers in this process with the bytes that `answer` returns, or fails with what it throws. */
class LocalRpc extends WorkerRpc {
  readonly isConfigured = true;

  constructor(private readonly answer: () => Uint8Array | undefined) {
    super(new RpcMetrics(new Metrics(SILENT)), SILENT);
  }

  protected async send(_queue: string, _command: object, { id }: Call): Promise<void> {
    const body = this.answer();
    if (body) this.waiting.take(id)?.resolve(body);
  }
}

function ask(answer: () => Uint8Array | undefined, given: { timeoutMs?: number; signal?: AbortSignal } = {}) {
  return new LocalRpc(answer).ask({
    queue: 'work.bread',
    worker: 'bread',
    command: { jobId: 'call-1' },
    timeoutMs: 5_000,
    answer: Answer,
    breachOf: ({ text }) => (text === 'stale' ? 'text: it is stale' : undefined),
    signal: new AbortController().signal,
    ...given,
  });
}
const json = (value: unknown) => () => Buffer.from(JSON.stringify(value));

describe('a request to a worker', () => {
  it('is answered with what the contract allows, without characters that PostgreSQL cannot store', async () => {
    const answer = await ask(json({ jobId: 'call-1', text: 'fresh\u0000', more: 1 }));
    expect(answer).toEqual({ jobId: 'call-1', text: 'fresh' });
  });

  it.each([
    ['bytes that are no text', () => Buffer.from([0xff, 0xfe]), 'message: not JSON, written in UTF-8'],
    ['no JSON', () => Buffer.from('{not json'), 'message: '],
    ['another type', json({ jobId: 'call-1', text: 7 }), 'text: '],
    ['an answer to another call', json({ jobId: 'call-2', text: 'x' }), 'jobId: it answers another job (call-2)'],
    ['what the caller refuses', json({ jobId: 'call-1', text: 'stale' }), 'text: it is stale'],
  ])('fails if the worker breaks the contract: %s', async (_, answer, breach) => {
    await expect(ask(answer)).rejects.toMatchObject({
      name: 'WorkerError',
      code: 'CONTRACT_BROKEN',
      message: expect.stringContaining(`the worker for bread broke the contract: ${breach}`),
    });
  });

  it.each<[BrokerErrorCode, string, string]>([
    ['NO_ANSWER', 'TIMEOUT', 'the worker for bread did not answer in time'],
    ['ANSWER_TOO_LARGE', 'CONTRACT_BROKEN', 'the worker for bread broke the contract: why'],
    ['NO_WORKER', 'UNAVAILABLE', 'no worker answers for bread'],
    ['NOT_CONFIGURED', 'UNAVAILABLE', 'no worker answers for bread: why'],
    ['NO_QUEUE', 'UNAVAILABLE', 'no worker can be asked for bread: why'],
    ['UNREACHABLE', 'UNAVAILABLE', 'no worker can be asked for bread: why'],
  ])('that ends with %s fails as %s', async (broker, code, message) => {
    const failing = ask(() => {
      throw new BrokerError(broker, 'why');
    });
    await expect(failing).rejects.toMatchObject({ name: 'WorkerError', code, message });
  });

  it('fails when its time is over, and with the reason of its signal', async () => {
    const silent = () => undefined;
    await expect(ask(silent, { timeoutMs: 20 })).rejects.toMatchObject({ code: 'TIMEOUT' });
    await expect(ask(silent, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
  });
});
