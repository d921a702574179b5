import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Api, startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { Problem } from '../errors/problem.js';

const db = testDatabase();
let api: Api;
afterEach(() => api?.stop());

async function listen(config: { shutdownMs?: number } = {}): Promise<number> {
  const adminKey = `mr_${'a'.repeat(40)}`;
  api = await startApi({ databaseUrl: db.url, config: { ...config, adminKey } });
  await api.app.listen(0, '127.0.0.1');
  const { port } = api.app.getHttpServer().address() as AddressInfo;
  return port;
}

/** A client that sends this text and does not close the connection. */
function say(port: number, text: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  socket.write(text);
  return socket;
}

async function answerTo(port: number, text: string) {
  let answer = '';
  for await (const chunk of say(port, text)) answer += chunk;
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { head, body };
}

const openConnections = () =>
  new Promise((resolve) => api.app.getHttpServer().getConnections((_: unknown, count: number) => resolve(count)));
const INFO = 30;
const BODY_BYTES = 60_000;
const halfABody = () =>
  `POST /api/v1/users HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.adminKey}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${BODY_BYTES}\r\n\r\n{`;

describe('bytes that are no request', () => {
  it.each([
    ['no HTTP', 'this is not HTTP\r\n\r\n'],
    ['without a Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['with two Hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n'],
  ])('%s: answered with a problem', async (_, text) => {
    const { head, body } = await answerTo(await listen(), text);
    expect(head).toMatch(/^HTTP\/1.1 400 .*application\/problem\+json/s);
    expect(Problem.parse(JSON.parse(body))).toMatchObject({ code: 'bad_request' });
  });

  it('leave no connection behind, though the client keeps its side open', async () => {
    const port = await listen();
    const socket = say(port, 'this is not HTTP\r\n\r\n').resume();
    await once(socket, 'end');
    await vi.waitFor(async () => expect(await openConnections()).toBe(0), 5_000);
    socket.destroy();
  });
});

it('answers HTTP/1.0 without a Host, and expectations that it does not know', async () => {
  const port = await listen();
  expect((await answerTo(port, 'GET /health/live HTTP/1.0\r\n\r\n')).head).toMatch(/^HTTP\/1.1 200 /);
  const expecting = 'GET /health/live HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n';
  expect(await answerTo(port, expecting)).toMatchObject({ body: '{"status":"live"}' });
});

describe('a body that does not come to its end', () => {
  it('is waited for a minute', async () => {
    await listen();
    expect(api.app.getHttpServer()).toMatchObject({ requestTimeout: 60_000, headersTimeout: 60_000 });
  });

  it('does not hold up the stop for longer than jobs may', async () => {
    const port = await listen({ shutdownMs: 100 });
    const socket = say(port, halfABody());
    const drip = setInterval(() => socket.write(' '), 20);
    await once(api.app.getHttpServer(), 'request');
    await api.app.close();
    clearInterval(drip);
    socket.destroy();
  });

  it('is no fault of ours: the line of the request says so', async () => {
    const port = await listen();
    const socket = say(port, halfABody());
    await once(api.app.getHttpServer(), 'request');
    socket.destroy();
    await vi.waitFor(() =>
      expect(api.lines).toContainEqual(
        expect.objectContaining({ event: 'request_ended', path: '/api/v1/users', aborted: true }),
      ),
    );
    expect(api.lines.filter(({ level }) => Number(level) > INFO)).toEqual([]);
  });
});

it('answers a request that is under way when it stops, and waits no longer for that client', async () => {
  const port = await listen({ shutdownMs: 600_000 });
  const socket = say(port, halfABody());
  await once(api.app.getHttpServer(), 'request');
  const stopped = api.app.close();
  socket.write(`${' '.repeat(BODY_BYTES - 2)}}`);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  await stopped;
  expect(answer).toMatch(/^HTTP\/1.1 201 /);
});
