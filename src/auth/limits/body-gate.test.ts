import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Body, Controller, Post } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Api, startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { DocumentBody } from '../../platform/api/request-bodies.js';

const Lists = z.strictObject({ items: z.unknown() });
const MAX_BYTES = 32 * 1_048_576;

@Controller('lists')
class ListsController {
  @Post()
  @DocumentBody({ maxBytes: MAX_BYTES })
  create(@Body({ schema: Lists }) _lists: z.infer<typeof Lists>) {
    return { stored: true };
  }

  @Post('small')
  createSmall(@Body({ schema: Lists }) _lists: z.infer<typeof Lists>) {
    return { stored: true };
  }
}

const db = testDatabase();
let api: Api;
let port: number;
beforeAll(async () => {
  api = await startApi({ databaseUrl: db.url, controllers: [ListsController] });
  await api.app.listen(0, '127.0.0.1');
  ({ port } = api.app.getHttpServer().address() as AddressInfo);
});
afterAll(() => api?.stop());

interface Upload {
  path?: string;
  key?: string | undefined;
  headers?: Record<string, string>;
  /** Chunks of the body. The next one is sent when the previous one was accepted. */
  body: Iterable<string>;
}

/** Sends as much of the body as the server accepts and returns how much that was. */
async function upload({ path = '/api/v1/lists', key, headers = {}, body }: Upload) {
  const request = httpRequest({
    port,
    host: '127.0.0.1',
    path,
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(key && { Authorization: `Bearer ${key}` }),
      ...headers,
    },
  });
  let failed = false;
  request.on('error', () => (failed = true));
  const answered = new Promise<IncomingMessage | undefined>((resolve) => {
    request.once('response', resolve);
    request.once('close', () => resolve(undefined));
  });
  let answer: IncomingMessage | undefined;
  void answered.then((response) => (answer = response));
  let sentBytes = 0;
  for (const chunk of body) {
    if (answer || failed) break;
    sentBytes += chunk.length;
    if (!request.write(chunk)) await Promise.race([once(request, 'drain'), answered]).catch(() => undefined);
  }
  request.end();
  const response = await answered;
  let text = '';
  if (response) for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response?.statusCode, headers: response?.headers, problem: text && JSON.parse(text), sentBytes };
}

const CHUNK = 65_536;
function* repeated(unit: string, bytes: number, { start = '', end = '' } = {}): Generator<string> {
  yield start;
  const chunk = unit.repeat(Math.ceil(CHUNK / unit.length));
  for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk;
  yield end;
}
const LIMIT = 33 * 1_048_576;
const flat = () => repeated('{},', LIMIT, { start: '{"items":[' });

describe('a body of somebody without a key', () => {
  it.each([
    ['of known length', { 'Content-Length': String(LIMIT) }],
    ['in chunks', {}],
  ])('is not received: %s', async (_, headers: Record<string, string>) => {
    const { status, problem, headers: answered, sentBytes } = await upload({ headers, body: flat() });
    expect({ status, code: problem.code }).toEqual({ status: 401, code: 'authentication_required' });
    expect(answered?.connection).toBe('close');
    // The socket buffers of both sides are filled before the response is seen.
    expect(sentBytes).toBeLessThan(LIMIT / 2);
  });

  it('is refused for a wrong key, an unknown path and a route for admins alike', async () => {
    const wrong = await upload({ key: 'mr_wrong', body: flat() });
    expect(wrong.problem).toMatchObject({ code: 'invalid_key' });
    const unknown = await upload({ path: '/api/v1/nothing', body: flat() });
    expect(unknown.problem).toMatchObject({ code: 'route_not_found' });
    for (const { sentBytes } of [wrong, unknown]) expect(sentBytes).toBeLessThan(LIMIT / 2);
  });

  it('is not asked for when the client waits for 100 Continue', async () => {
    const waiting = httpRequest({
      port,
      host: '127.0.0.1',
      path: '/api/v1/lists',
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Length': '100', Expect: '100-continue' },
    });
    waiting.on('error', () => undefined);
    let continued = false;
    waiting.on('continue', () => (continued = true));
    waiting.flushHeaders();
    const [response] = (await once(waiting, 'response')) as [IncomingMessage];
    expect({ status: response.statusCode, continued }).toEqual({ status: 401, continued: false });
    waiting.destroy();
  });
});

describe('a body of somebody with a key', () => {
  it('is asked for when the client waits for 100 Continue', async () => {
    const body = '{"items":[]}';
    const headers = { 'Content-Length': String(body.length), Expect: '100-continue' };
    const { status } = await upload({ key: api.adminKey, headers, body: [body] });
    expect(status).toBe(201);
  });

  it.each([
    ['longer than the route allows', '/api/v1/lists', () => repeated('x', LIMIT, { start: '{"items":"' })],
    ['longer than 64 kB where nothing else is documented', '/api/v1/lists/small', flat],
    ['with too many elements', '/api/v1/lists', flat],
    ['nested too deeply', '/api/v1/lists', () => repeated('[', LIMIT, { start: '{"items":' })],
    ['with too many keys', '/api/v1/lists', () => repeated('"key":1,', LIMIT, { start: '{"items":{' })],
  ])('is refused before it is parsed: %s', async (_, path, body) => {
    const { problem } = await upload({ path, key: api.adminKey, body: body() });
    expect(problem).toMatchObject({ status: 413, code: 'body_too_large' });
  });

  it('is read up to the limit of the route', async () => {
    const body = repeated('long ', 31 * 1_048_576, { start: '{"items":"', end: '"}' });
    expect(await upload({ key: api.adminKey, body })).toMatchObject({ status: 201 });
  });

  it('waits for its turn when other large ones are being read', async () => {
    const half = () => {
      const sending = httpRequest({
        port,
        host: '127.0.0.1',
        path: '/api/v1/lists',
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': String(30 * 1_048_576),
          Authorization: `Bearer ${api.adminKey}`,
          Expect: '100-continue',
        },
      });
      sending.on('error', () => undefined);
      sending.flushHeaders();
      return sending;
    };
    const others = [half(), half()];
    await Promise.all(others.map((sending) => once(sending, 'continue')));
    const { status, problem, headers } = await upload({ key: api.adminKey, body: flat() });
    expect({ status, code: problem.code }).toEqual({ status: 503, code: 'overloaded' });
    expect(headers?.['retry-after']).toBe('1');
    const small = await upload({ key: api.adminKey, headers: { 'Content-Length': '12' }, body: ['{"items":[]}'] });
    expect(small.status).toBe(201);
    for (const sending of others) sending.destroy();
    await expect
      .poll(async () => (await upload({ key: api.adminKey, body: ['{"items":[]}'] })).status, { timeout: 10_000 })
      .toBe(201);
  });
});
