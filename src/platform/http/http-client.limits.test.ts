import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { outgoingClient } from '../../../test/harness/outgoing.js';
import { startSite } from '../../../test/harness/site.js';

const store = testDatabase();
const MB = 1_000_000;
const TEN_MB_OF_ZEROS = gzipSync(Buffer.alloc(10 * MB));

/** Sends `part` repeatedly, as fast as the client reads. */
function repeat(response: ServerResponse, part: Buffer, times: number): void {
  const parts = function* () {
    for (let sent = 0; sent < times; sent += 1) yield part;
  };
  pipeline(Readable.from(parts()), response, () => undefined);
}

/** Returns the highest rise of the process's memory above its start. */
async function peakGrowth(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  await work();
  clearInterval(watch);
  return Math.max(peak, process.memoryUsage.rss()) - before;
}

describe('a body', () => {
  it('of 1 GB in gzip is cut off at 10 MB, with memory flat', async () => {
    const site = await startSite((_, response) => {
      response.setHeader('content-encoding', 'gzip');
      repeat(response, TEN_MB_OF_ZEROS, 100);
    });
    const client = outgoingClient(store.database);
    const growth = await peakGrowth(() =>
      expect(client.get(site.url())).rejects.toMatchObject({
        code: 'TOO_LARGE',
        message: `http://site.example:${site.port} sent more than 10,000,000 bytes`,
      }),
    );
    expect(growth).toBeLessThan(100 * MB);
  });

  it('of 1 GB in gzip in gzip, small enough for a single packet, is cut off too', async () => {
    const bomb = gzipSync(Buffer.concat(new Array(100).fill(TEN_MB_OF_ZEROS)));
    expect(bomb.length).toBeLessThan(60_000);
    const site = await startSite((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(bomb),
    );
    const client = outgoingClient(store.database);
    const growth = await peakGrowth(() => expect(client.get(site.url())).rejects.toMatchObject({ code: 'TOO_LARGE' }));
    expect(growth).toBeLessThan(100 * MB);
  });

  it('without end is cut off, and the connection with it', async () => {
    let closed: Promise<unknown> | undefined;
    const site = await startSite((request, response) => {
      closed = new Promise((resolve) => request.socket.on('close', resolve));
      repeat(response, Buffer.alloc(64_000), Number.POSITIVE_INFINITY);
    });
    await expect(outgoingClient(store.database).get(site.url())).rejects.toMatchObject({ code: 'TOO_LARGE' });
    await closed;
  });

  it('in an encoding that nobody can undo is not left hanging half read', async () => {
    let closed: Promise<unknown> | undefined;
    const site = await startSite((request, response) => {
      closed = new Promise((resolve) => request.socket.on('close', resolve));
      response.setHeader('content-encoding', 'rot13');
      repeat(response, Buffer.alloc(64_000), Number.POSITIVE_INFINITY);
    });
    await expect(outgoingClient(store.database).get(site.url())).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
    await closed;
  });

  it('that announces more than the cap is not read at all', async () => {
    const site = await startSite((_, response) => {
      response.writeHead(200, { 'content-length': 11 * MB }).flushHeaders();
    });
    await expect(outgoingClient(store.database).get(site.url())).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });

  it('may be exactly as long as the caller allows', async () => {
    const site = await startSite((_, response) => repeat(response, Buffer.alloc(50), 2));
    const client = outgoingClient(store.database);
    expect((await client.get(site.url(), { maxBytes: 100 })).body).toHaveLength(100);
    await expect(client.get(site.url(), { maxBytes: 99 })).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });
});

describe('time is over', () => {
  it('for a body that drips, when the whole request takes too long', async () => {
    const site = await startSite(async (_, response) => {
      for (; !response.destroyed; await sleep(20)) response.write('.');
    });
    const request = outgoingClient(store.database).get(site.url(), { timeouts: { total: 300 } });
    await expect(request).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: `http://site.example:${site.port} was not done within 0.3 s`,
    });
  });

  it('for redirects that each come in time but together take too long', async () => {
    const site = await startSite(async ({ url }, response) => {
      await sleep(100);
      response.writeHead(302, { location: `${url}x` }).end();
    });
    const limits = { timeouts: { total: 350 }, maxRedirects: 1000 };
    await expect(outgoingClient(store.database).get(site.url('/'), limits)).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('for a server that takes the request and never answers', async () => {
    const site = await startSite(() => undefined);
    const request = outgoingClient(store.database).get(site.url(), { timeouts: { headers: 200 } });
    await expect(request).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: expect.stringContaining('begin to answer'),
    });
  });

  it('for a body that stops in the middle', async () => {
    const site = await startSite((_, response) => response.write('half'));
    const request = outgoingClient(store.database).get(site.url(), { timeouts: { body: 200 } });
    await expect(request).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: expect.stringContaining('stopped sending'),
    });
  });

  it('for a name server that never answers', async () => {
    const client = outgoingClient(store.database, { lookup: () => new Promise(() => undefined) });
    const request = client.get('http://slow.example/', { timeouts: { connect: 200 } });
    await expect(request).rejects.toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining('connection') });
  });

  it('for a server that takes the connection and never says a word of TLS', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const request = outgoingClient(store.database).get(`https://mute.example:${port}/`, { timeouts: { connect: 200 } });
    await expect(request).rejects.toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining('connection') });
  });

  it('not for one that only stood in line for long', async () => {
    const site = await startSite(async (_, response) => {
      await sleep(300);
      response.end('in time');
    });
    const client = outgoingClient(store.database, { hostConcurrency: 1 });
    const requests = Array.from({ length: 7 }, () => client.get(site.url(), { timeouts: { total: 1500 } }));
    expect((await Promise.all(requests)).map((response) => response.text())).toEqual(new Array(7).fill('in time'));
  });
});

describe('redirects', () => {
  it('without end are given up after five', async () => {
    let asked = 0;
    const site = await startSite((_, response) => {
      asked += 1;
      response.writeHead(302, { location: `/${asked}` }).end();
    });
    await expect(outgoingClient(store.database).get(site.url())).rejects.toMatchObject({
      code: 'TOO_MANY_REDIRECTS',
      message: expect.stringContaining(`http://site.example:${site.port}`),
    });
    expect(asked).toBe(6);
  });

  it('in a circle are given up too', async () => {
    const site = await startSite(({ url }, response) =>
      response.writeHead(301, { location: url === '/a' ? '/b' : '/a' }).end(),
    );
    await expect(outgoingClient(store.database).get(site.url('/a'))).rejects.toMatchObject({
      code: 'TOO_MANY_REDIRECTS',
    });
  });

  it('are as many as the caller allows', async () => {
    const site = await startSite(({ url }, response) => {
      if (url === '/') response.writeHead(302, { location: '/there' }).end();
      else response.end('there');
    });
    const client = outgoingClient(store.database);
    expect((await client.get(site.url(), { maxRedirects: 1 })).text()).toBe('there');
    await expect(client.get(site.url(), { maxRedirects: 0 })).rejects.toMatchObject({ code: 'TOO_MANY_REDIRECTS' });
  });

  it('with an endless body are followed without reading it', async () => {
    const site = await startSite(({ url }, response) => {
      if (url !== '/') return void response.end('there');
      response.writeHead(302, { location: '/there' });
      return repeat(response, Buffer.alloc(64_000), Number.POSITIVE_INFINITY);
    });
    expect((await outgoingClient(store.database).get(site.url())).text()).toBe('there');
  });
});

describe('a caller that gives up', () => {
  const gaveUp = new Error('no longer wanted');

  it('before the request sends nothing', async () => {
    const site = await startSite((_, response) => response.end());
    const request = outgoingClient(store.database).get(site.url(), { signal: AbortSignal.abort(gaveUp) });
    await expect(request).rejects.toBe(gaveUp);
    expect(site.connections).toBe(0);
  });

  it('while the name is looked up waits no longer', async () => {
    const stop = new AbortController();
    const lookup = async () => {
      stop.abort(gaveUp);
      return new Promise<never>(() => undefined);
    };
    const request = outgoingClient(store.database, { lookup }).get('http://slow.example/', { signal: stop.signal });
    await expect(request).rejects.toBe(gaveUp);
  });

  it.each(['head', 'body'])('while the %s is awaited ends the connection', async (part) => {
    const stop = new AbortController();
    let closed: Promise<unknown> | undefined;
    const site = await startSite((request, response) => {
      closed = new Promise((resolve) => request.socket.on('close', resolve));
      if (part === 'body') response.write('half');
      setTimeout(() => stop.abort(gaveUp), 50);
    });
    await expect(outgoingClient(store.database).get(site.url(), { signal: stop.signal })).rejects.toBe(gaveUp);
    await closed;
  });

  it('while standing in line leaves it', async () => {
    const stop = new AbortController();
    const site = await startSite(() => stop.abort(gaveUp));
    const client = outgoingClient(store.database, { hostConcurrency: 1 });
    const first = client.get(site.url(), { signal: stop.signal });
    const second = client.get(site.url(), { signal: stop.signal });
    const gaveUpBoth = [expect(first).rejects.toBe(gaveUp), expect(second).rejects.toBe(gaveUp)];
    await Promise.all(gaveUpBoth);
    expect(site.connections).toBe(1);
  });
});
