import { expect, it, onTestFinished, vi } from 'vitest';
import { brokerParts } from '../../../test/broker/broker-parts.js';
import { demoBroker } from '../../../test/broker/demo-broker.js';
import { FetchResult } from '../../contracts/fetch-result.js';
import { startFakeInstagram } from './start-fake-instagram.js';
import { startInstagramWorker } from './start-instagram-worker.js';

const silent = { info: () => undefined, warn: () => undefined };
let calls = 0;

/** Everything that there is between a question and its answer; the engine's part asks. */
async function demo() {
  let passedMs = 0;
  const instagram = await startFakeInstagram({ seed: 1, now: () => new Date(Date.now() + passedMs) });
  const broker = await demoBroker();
  const { declarations, presence, rpc } = brokerParts(broker.url);
  await declarations.declareAll();
  const worker = startInstagramWorker({ brokerUrl: broker.url, instagramUrl: instagram.url, log: silent });
  onTestFinished(() => worker.stop());
  onTestFinished(() => instagram.stop());
  const isThere = () => vi.waitFor(() => presence.check('fetch.instagram'), 10_000);
  const ask = async (externalId: string, more: object = {}, timeoutMs = 20_000) => {
    const jobId = `job-${++calls}`;
    const about = { jobId, sourceId: '7', sourceType: 'instagram', externalId, params: {} };
    const command = { ...about, timestamp: new Date().toISOString(), timeout: timeoutMs, ...more };
    const call = { id: jobId, timeoutMs, signal: new AbortController().signal };
    const answer = await rpc.call('fetch.instagram', command, call);
    const result = FetchResult.parse(JSON.parse(Buffer.from(answer).toString()));
    expect(result.jobId).toBe(jobId);
    return result;
  };
  const pass = (minutes: number) => {
    passedMs += minutes * 60_000;
  };
  await isThere();
  return { ask, broker, instagram, isThere, pass, worker };
}

it('answers with the newest posts, and leads on to the older ones', async () => {
  const { ask, instagram } = await demo();
  const first = await ask('nora.bakes', { params: { limit: 5 } });
  if (first.status !== 'success') throw new Error(first.error.message);
  expect(first.data).toMatchObject({ hasMore: true, nextCursor: expect.any(String) });
  expect(first.data.posts).toHaveLength(5);
  expect(first.data.posts[0]).toMatchObject({
    ...{ contentFormat: 'text', author: { username: 'nora.bakes', displayName: 'Nora Eskildsen' } },
    ...{ mediaUrls: [expect.stringContaining(instagram.url)], metrics: { likes: expect.any(Number) } },
  });
  const second = await ask('nora.bakes', { params: { limit: 5, cursor: first.data.nextCursor } });
  const ids = [first, second].flatMap((page) =>
    (page.status === 'success' ? page.data.posts : []).map((p) => p.externalId),
  );
  expect(new Set(ids).size).toBe(10);
});

it('tells what keeps it from answering with posts', async () => {
  const { ask, instagram, pass } = await demo();
  const error = (code: string, more = {}) => ({ status: 'error', error: { code, ...more } });
  expect(await ask('ilse.private')).toMatchObject(error('PRIVATE_PROFILE'));
  expect(await ask('nobody/at all')).toMatchObject(error('NOT_FOUND'));
  pass(2);
  expect(await ask('pier.festival')).toMatchObject(
    error('RATE_LIMITED', { details: { retryAfterSeconds: expect.any(Number) } }),
  );
  await instagram.stop();
  expect(await ask('nora.bakes')).toMatchObject(error('NETWORK_ERROR'));
});

it('refuses what it does not understand, names the field, and goes on', async () => {
  const { ask } = await demo();
  const refused = (message: RegExp) => ({
    error: { code: 'INVALID_COMMAND', message: expect.stringMatching(message) },
  });
  expect(await ask('nora.bakes', { params: { limit: 0 } })).toMatchObject(refused(/^params\.limit: /));
  expect(await ask('nora.bakes', { schemaVersion: 2 })).toMatchObject(refused(/^schemaVersion: /));
  expect(await ask('nora.bakes', { sourceId: 5 })).toMatchObject({ sourceId: 'unknown', ...refused(/^sourceId: /) });
  expect(await ask('nora.bakes')).toMatchObject({ status: 'success', sourceId: '7' });
});

it('leaves alone what nobody waits for any more', async () => {
  const { ask } = await demo();
  const late = ask('nora.bakes', { timestamp: new Date(Date.now() - 60_000).toISOString() }, 500);
  await expect(late).rejects.toMatchObject({ code: 'NO_ANSWER' });
  expect(await ask('nora.bakes')).toMatchObject({ status: 'success' });
});

it('comes back with the broker', async () => {
  const { ask, broker, isThere } = await demo();
  expect(await ask('nora.bakes')).toMatchObject({ status: 'success' });
  await broker.stop();
  await demoBroker(Number(new URL(broker.url).port));
  await isThere();
  expect(await ask('nora.bakes')).toMatchObject({ status: 'success' });
});

it('stops also while the broker is away', async () => {
  const { broker, worker } = await demo();
  await broker.stop();
  await worker.stop();
});
