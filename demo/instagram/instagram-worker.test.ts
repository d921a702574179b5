import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { FetchResult } from '../../src/contracts/fetch-result.js';
import { RpcMetrics } from '../../src/platform/broker/rpc-metrics.js';
import type { WorkerRpc } from '../../src/platform/broker/worker-rpc.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { brokerParts } from '../../test/broker/broker-parts.js';
import { rabbitmqUrl } from '../../test/harness/rabbitmq.js';
import { describeWithPython, pythonProgram } from '../../test/workers/python.js';
import { startWorkerProgram } from '../../test/workers/worker-program.js';
import { InProcessWorker } from './in-process-worker.js';
import { startFakeInstagram } from './start-fake-instagram.js';

const QUEUE = 'fetch.instagram';
const CALL_MS = 20_000;
let calls = 0;

/** Starts a worker that asks the given Instagram, and returns what calls it. */
type StartWorker = (instagramUrl: string) => WorkerRpc | Promise<WorkerRpc>;

async function demo(startWorker: StartWorker) {
  let passedMs = 0;
  const instagram = await startFakeInstagram({ seed: 1, now: () => new Date(Date.now() + passedMs) });
  onTestFinished(() => instagram.stop());
  const rpc = await startWorker(instagram.url);
  const ask = async (externalId: string, more: object = {}, timeoutMs = CALL_MS) => {
    const jobId = `job-${++calls}`;
    const base = { jobId, sourceId: '7', sourceType: 'instagram', externalId, params: {} };
    const command = { ...base, timestamp: new Date().toISOString(), timeout: timeoutMs, ...more };
    const answer = await rpc.call(QUEUE, command, { id: jobId, timeoutMs, signal: new AbortController().signal });
    const result = FetchResult.parse(JSON.parse(Buffer.from(answer).toString()));
    expect(result.jobId).toBe(jobId);
    return result;
  };
  const pass = (minutes: number) => {
    passedMs += minutes * 60_000;
  };
  return { ask, instagram, pass, rpc };
}

const failed = (code: string, more = {}) => ({ status: 'error', error: { code, ...more } });

function fetchesFromInstagram(startWorker: StartWorker): void {
  it('answers with the newest posts, and pages to the older ones', async () => {
    const { ask, instagram } = await demo(startWorker);
    const first = await ask('nora.bakes', { params: { limit: 5 } });
    if (first.status !== 'success') throw new Error(first.error.message);
    expect(first.data).toMatchObject({ hasMore: true, nextCursor: expect.any(String) });
    expect(first.data.posts[0]).toMatchObject({
      contentFormat: 'text',
      author: { username: 'nora.bakes', displayName: 'Nora Eskildsen' },
      mediaUrls: [expect.stringContaining(instagram.url)],
      metrics: { likes: expect.any(Number) },
    });
    const second = await ask('nora.bakes', { params: { limit: 5, cursor: first.data.nextCursor } });
    if (second.status !== 'success') throw new Error(second.error.message);
    const ids = [...first.data.posts, ...second.data.posts].map(({ externalId }) => externalId);
    expect(new Set(ids).size).toBe(10);
  });

  it('answers with an error code when it cannot get the posts', async () => {
    const { ask, instagram, pass } = await demo(startWorker);
    expect(await ask('ilse.private')).toMatchObject(failed('PRIVATE_PROFILE'));
    expect(await ask('nobody/at all')).toMatchObject(failed('NOT_FOUND'));
    pass(2);
    const rateLimited = failed('RATE_LIMITED', { details: { retryAfterSeconds: expect.any(Number) } });
    expect(await ask('pier.festival')).toMatchObject(rateLimited);
    await instagram.stop();
    expect(await ask('nora.bakes')).toMatchObject(failed('NETWORK_ERROR'));
  });
}

describe('the Instagram worker in the process of the demo', () => {
  const silent = pino({ level: 'silent' });
  const inProcess = (instagramUrl: string) =>
    new InProcessWorker(instagramUrl, new RpcMetrics(new Metrics(silent)), silent);

  fetchesFromInstagram(inProcess);

  it('refuses an invalid command, names the field, and continues', async () => {
    const { ask } = await demo(inProcess);
    const refused = (message: RegExp) => failed('INVALID_COMMAND', { message: expect.stringMatching(message) });
    expect(await ask('nora.bakes', { params: { limit: 0 } })).toMatchObject(refused(/^params\.limit: /));
    expect(await ask('nora.bakes', { schemaVersion: 2 })).toMatchObject(refused(/^schemaVersion: /));
    expect(await ask('nora.bakes', { sourceId: 5 })).toMatchObject({ sourceId: 'unknown', ...refused(/^sourceId: /) });
    expect(await ask('nora.bakes')).toMatchObject({ status: 'success', sourceId: '7' });
  });

  it('does not answer a command whose time is up', async () => {
    const { ask } = await demo(inProcess);
    const late = ask('nora.bakes', { timestamp: new Date(Date.now() - 60_000).toISOString() }, 500);
    await expect(late).rejects.toMatchObject({ code: 'NO_ANSWER' });
    expect(await ask('nora.bakes')).toMatchObject({ status: 'success' });
  });

  it('is the only worker there', async () => {
    const { rpc } = await demo(inProcess);
    const call = { id: 'other', timeoutMs: CALL_MS, signal: new AbortController().signal };
    await expect(rpc.call('fetch.twitter', {}, call)).rejects.toMatchObject({ code: 'NO_WORKER' });
  });

  it('ends a call whose signal aborts', async () => {
    const { rpc } = await demo(inProcess);
    const call = { id: 'aborted', timeoutMs: CALL_MS, signal: AbortSignal.abort(new Error('no longer needed')) };
    await expect(rpc.call(QUEUE, {}, call)).rejects.toThrow('no longer needed');
  });
});

describeWithPython('demo/instagram/worker.py over RabbitMQ', () => {
  const url = rabbitmqUrl();

  fetchesFromInstagram(async (instagramUrl) => {
    const { declarations, presence, rpc } = brokerParts(url);
    await declarations.declareAll();
    const worker = startWorkerProgram(pythonProgram(), ['-m', 'millrace_worker', 'demo/instagram/worker.py'], {
      RABBITMQ_URL: url,
      DEMO_INSTAGRAM_URL: instagramUrl,
      PYTHONPATH: 'workers/python',
      PYTHONDONTWRITEBYTECODE: '1',
    });
    onTestFinished(async () => {
      await worker.end('SIGKILL');
    });
    await vi.waitFor(() => presence.check(QUEUE), CALL_MS);
    return rpc;
  });
});
