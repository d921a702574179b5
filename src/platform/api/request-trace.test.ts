import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { only, recordTraces } from '../../../test/tracing/recorder.js';
import { openEventStream } from '../live/event-stream.js';
import { traced, traceparent } from '../tracing/traced.js';

const kitchen = new EventEmitter();

const Kettle = z.strictObject({ id: z.string() });
type Kettle = z.infer<typeof Kettle>;

@Controller('kettles')
class KettlesController {
  @Post(':id/boil')
  async boil(@Param({ schema: Kettle }) { id }: Kettle) {
    if (id === 'broken') throw new Error('no water');
    return traced({ name: 'boiling' }, async () => ({ trace: traceparent() }));
  }

  @Get('slow')
  async slow() {
    kitchen.emit('slowly');
    await new Promise(() => undefined);
  }

  @Get('stream')
  async stream(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const stream = openEventStream({ request, reply });
    await traced({ name: 'much later' }, async () => stream?.end());
  }
}

const db = testDatabase();
const key = 'an-admin-key-for-traces-only';

async function start() {
  const recorder = await recordTraces();
  const api = await startApi({ databaseUrl: db.url, config: { adminKey: key }, controllers: [KettlesController] });
  onTestFinished(() => api.stop());
  const boil = (id: string, headers = {}) =>
    api.send({
      method: 'POST',
      url: `/api/v1/kettles/${id}/boil?token=secret`,
      key,
      headers,
      payload: { text: 'x'.repeat(60_000) },
    });
  return { api, boil, ...recorder };
}

it("is named after the route and goes on with the caller's trace, after its body was read too", async () => {
  const { api, boil, collector, spans } = await start();
  const traceId = 'a'.repeat(32);
  const { statusCode, headers } = await boil('secret', { traceparent: `00-${traceId}-${'b'.repeat(16)}-01` });
  expect(statusCode).toBe(201);
  const all = await spans();
  const request = only(all, 'POST /api/v1/kettles/:id/boil');
  expect(request).toMatchObject({
    traceId,
    parentSpanId: 'b'.repeat(16),
    kind: 'SERVER',
    failed: false,
    attributes: { 'http.response.status_code': 201, 'request.id': headers['x-request-id'] },
  });
  expect(only(all, 'boiling').parentSpanId).toBe(request.spanId);
  expect(all.filter(({ name }) => name === 'SELECT api_keys').map(({ parentSpanId }) => parentSpanId)).toEqual([
    request.spanId,
  ]);
  expect(api.lines).toContainEqual(expect.objectContaining({ event: 'request_ended', traceId }));
  expect(collector.received).not.toContain('secret');
});

it('has failed when the answer is our fault, not when it is the caller who erred', async () => {
  const { api, boil, spans } = await start();
  expect((await boil('broken')).statusCode).toBe(500);
  expect((await api.send({ method: 'POST', url: '/api/v1/kettles/x/boil' })).statusCode).toBe(401);
  const requests = (await spans()).filter(({ kind }) => kind === 'SERVER');
  expect(requests.map(({ failed, attributes }) => [attributes['http.response.status_code'], failed])).toEqual([
    [500, true],
    [401, false],
  ]);
});

it('has not failed when the client leaves before it is answered', async () => {
  const { api, spans } = await start();
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = api.app.getHttpServer().address() as AddressInfo;
  const slowly = once(kitchen, 'slowly');
  const client = connect(port, '127.0.0.1', () => {
    client.write(`GET /api/v1/kettles/slow HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  });
  await slowly;
  client.destroy();
  await expect.poll(() => api.lines.some((line) => line.event === 'request_ended' && line.aborted)).toBe(true);
  const request = only(await spans(), 'GET /api/v1/kettles/slow');
  expect(request).toMatchObject({ failed: false, attributes: { 'request.aborted': 'true' } });
});

it('ends where a stream of events begins', async () => {
  const { api, spans } = await start();
  expect((await api.send({ url: '/api/v1/kettles/stream', key })).headers['content-type']).toMatch('text/event-stream');
  const names = (await spans()).map(({ name }) => name);
  expect(names).toContain('GET /api/v1/kettles/stream');
  expect(names).not.toContain('much later');
});

it('is not made for probes, metrics, and what is not there', async () => {
  const { api, spans } = await start();
  for (const url of ['/health/live', '/metrics', '/', '/api/v1/nothing']) await api.send({ url, key });
  expect(await spans()).toEqual([]);
});
