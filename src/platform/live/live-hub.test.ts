import { once } from 'node:events';
import { fastify } from 'fastify';
import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { EventSource } from '../../../test/feeds/event-source.js';
import { LiveHub, MAX_STREAM_MS } from './live-hub.js';

const WAIT_OPTIONS = { timeout: 15_000, interval: 20 };
const limit = { max: 2, refusal: 'Two are enough.', retryAfterMs: 5_000 };

async function start() {
  const hub = new LiveHub(pino({ enabled: false }));
  hub.onModuleInit();
  const server = fastify();
  server.get<{ Params: { name: string; owner: string } }>('/:name/:owner', async (request, reply) => {
    hub.open({ name: request.params.name, limit }, request.params.owner, { request, reply });
    return reply;
  });
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    hub.onModuleDestroy();
    await server.close();
  });
  const open = (path: string) => EventSource.open(`${address}${path}`, {});
  const status = async (path: string, method: 'GET' | 'HEAD' = 'GET') => {
    const { statusCode, headers } = await server.inject({ method, url: path });
    return { status: statusCode, retryAfter: headers['retry-after'] };
  };
  return { hub, open, status };
}

it('limits the streams of each owner in each view', async () => {
  const { open, status } = await start();
  const first = await open('/feed/ann');
  for (const path of ['/feed/ann', '/feed/ben', '/jobs/ann']) expect((await open(path)).response.statusCode).toBe(200);
  expect(await status('/feed/ann')).toEqual({ status: 429, retryAfter: '5' });
  first.response.destroy();
  await expect.poll(async () => (await open('/feed/ann')).response.statusCode, WAIT_OPTIONS).toBe(200);
  expect((await status('/feed/ann')).status).toBe(429);
});

it('answers a HEAD request without a stream', async () => {
  const { status } = await start();
  for (let times = 0; times < 3; times++) expect((await status('/feed/ann', 'HEAD')).status).toBe(200);
});

it('sends heartbeats', async () => {
  const { hub, open } = await start();
  const streams = [await open('/feed/ann'), await open('/jobs/ben')];
  hub.sendHeartbeats();
  for (const stream of streams) await expect.poll(() => stream.comments, WAIT_OPTIONS).toBe(1);
});

it('ends a stream after half an hour, and admits the next one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { open } = await start();
  const stream = await open('/feed/ann');
  vi.advanceTimersByTime(MAX_STREAM_MS - 1);
  expect(stream.ended).toBe(false);
  const closed = once(stream.response, 'close');
  vi.advanceTimersByTime(1);
  await closed;
  expect((await open('/feed/ann')).response.statusCode).toBe(200);
});

it('ends all streams at shutdown, and refuses new ones', async () => {
  const { hub, open, status } = await start();
  const streams = [await open('/feed/ann'), await open('/jobs/ben')];
  hub.onModuleDestroy();
  for (const stream of streams) await expect.poll(() => stream.ended, WAIT_OPTIONS).toBe(true);
  expect((await status('/feed/ann')).status).toBe(503);
});
