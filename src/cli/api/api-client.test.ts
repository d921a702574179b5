import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runMillraceCommand } from '../../../test/cli/run-millrace-command.js';
import { ApiClient } from './api-client.js';
import { eventsOf, parseEvent } from './event-stream.js';

/** What lies between the command line and Millrace, or is there in its place. */
async function somebodyElse(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const problem = { type: 'x', title: 'Too many requests', status: 429, code: 'rate_limited', detail: 'Wait.' };

describe('the way to the API', () => {
  it('names the reason where a connection is refused', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const api = new ApiClient({ url: `http://127.0.0.1:${port}`, key: 'k' });
    const reason = `Could not reach http://127.0.0.1:${port} (connection refused). Is Millrace running? Start it with \`npm start\``;
    await expect(api.get('/sources')).rejects.toMatchObject({ exitCode: 3, message: expect.stringContaining(reason) });
  });

  it.each([
    ['an error that is no problem document', (_, response) => response.writeHead(502).end('<h1>no</h1>')],
    ['a page', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>yes</h1>')],
    ['a redirection', (_, response) => response.writeHead(302, { location: '/login' }).end()],
  ] satisfies [string, RequestListener][])('asks whether the address is right at %s', async (_, answer) => {
    const api = new ApiClient({ url: await somebodyElse(answer), key: 'k' });
    await expect(api.get('/sources')).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining('Is the address correct?'),
    });
  });

  it('waits as long as the API asks for, and then goes on', async () => {
    const asked: (string | undefined)[] = [];
    const url = await somebodyElse((request, response) => {
      asked.push(request.url);
      if (asked.length === 1)
        response
          .writeHead(429, { 'retry-after': '0', 'content-type': 'application/problem+json' })
          .end(JSON.stringify(problem));
      else response.writeHead(200).end('{"items":[]}');
    });
    const waits: number[] = [];
    const api = new ApiClient({ url, key: 'k', onWait: (seconds) => waits.push(seconds) });
    expect(await api.get('/sources', { query: { q: 'a b', folder: undefined } })).toEqual({ items: [] });
    expect({ asked, waits }).toEqual({ asked: Array(2).fill('/api/v1/sources?q=a+b'), waits: [0] });
  });

  it('does not wait longer than a person would', async () => {
    const url = await somebodyElse((_, response) =>
      response
        .writeHead(429, { 'retry-after': '3600', 'content-type': 'application/problem+json' })
        .end(JSON.stringify(problem)),
    );
    await expect(new ApiClient({ url, key: 'k' }).get('/sources')).rejects.toMatchObject({ exitCode: 4 });
  });

  it('fills and escapes the parameters of a path', async () => {
    const asked: (string | undefined)[] = [];
    const url = await somebodyElse((request, response) => {
      asked.push(request.url);
      response.writeHead(200).end('{}');
    });
    await new ApiClient({ url, key: 'k' }).get('/sources/{id}/schedule', { path: { id: 'a/b' } });
    expect(asked).toEqual(['/api/v1/sources/a%2Fb/schedule']);
  });

  it.each([
    ['a field that is missing', { items: [{ id: '7' }], nextCursor: null }],
    ['a list that is none', { sources: [] }],
  ])('reports that a server of another version answers with %s', async (_, answered) => {
    const MILLRACE_URL = await somebodyElse((_request, response) =>
      response.writeHead(200).end(JSON.stringify(answered)),
    );
    const environment = { MILLRACE_URL, MILLRACE_KEY: 'k' };
    const { code, out, err } = await runMillraceCommand(['sources'], { environment });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^millrace sources: The answer of http.* is not what this version expects \(.*another version/);
  });

  it('prints an answer of another version with --json', async () => {
    const answered = { items: [{ id: '7' }], nextCursor: null };
    const MILLRACE_URL = await somebodyElse((_, response) => response.writeHead(200).end(JSON.stringify(answered)));
    const environment = { MILLRACE_URL, MILLRACE_KEY: 'k' };
    const { code, out } = await runMillraceCommand(['sources', '--json'], { environment });
    expect({ code, answer: JSON.parse(out) }).toEqual({ code: 0, answer: answered });
  });
});

describe('a stream of events', () => {
  it('is taken up again where it broke', async () => {
    const lastIds: unknown[] = [];
    const url = await somebodyElse((request, response) => {
      lastIds.push(request.headers['last-event-id']);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const at = lastIds.length;
      response.write(`:\n\nevent: post\nid: ${at}\nda`);
      setTimeout(() => {
        response.write(`ta: {"number":${at}}\n\n`, () => response.destroy());
      }, 20);
    });
    const seen: unknown[] = [];
    for await (const { event, data } of eventsOf(new ApiClient({ url, key: 'k' }), '/feed/stream', {})) {
      if (event === 'post') seen.push(data);
      if (seen.length === 2) break;
    }
    expect(seen).toEqual([{ number: 1 }, { number: 2 }]);
    expect(lastIds).toEqual([undefined, '1']);
  });

  it('knows what is no event', () => {
    expect(parseEvent('retry: 1000')).toBeUndefined();
    expect(parseEvent(':')).toBeUndefined();
    expect(parseEvent('data: {"a":": "}')).toEqual({ event: 'message', id: undefined, data: { a: ': ' } });
  });
});
