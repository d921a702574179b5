import { once } from 'node:events';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Global, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { outgoingClient } from '../../../test/harness/outgoing.js';
import { startSite } from '../../../test/harness/site.js';
import { CONFIG, parseConfig } from '../config.js';
import { Database } from '../database/database.js';
import { Events } from '../events/events.js';
import { LOG } from '../log/log.js';
import { Metrics } from '../metrics/metrics.js';
import { VERSION } from '../process/version.js';
import { Clock } from '../time/clock.js';
import { Periodic } from '../time/periodic.js';
import { HttpModule } from './http.module.js';
import { HttpClient } from './http-client.js';

const store = testDatabase();

/** Answers each request with a description of it. */
const startMirror = () =>
  startSite(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, url, headers } = request;
    response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() }));
  });

describe('a request', () => {
  it('brings back status, headers, final address, bytes and text', async () => {
    const site = await startSite((_, response) => {
      response.writeHead(404, { 'Content-Type': 'text/plain; charset=iso-8859-1', Link: ['<a>', '<b>'] });
      response.end(Buffer.from('café', 'latin1'));
    });
    const response = await outgoingClient(store.database).get(site.url('/x?y=1#z'));
    expect(response).toMatchObject({ status: 404, url: site.url('/x?y=1#z'), redirects: [], permanentUrl: undefined });
    expect(response.headers).toMatchObject({ 'content-type': 'text/plain; charset=iso-8859-1', link: '<a>, <b>' });
    expect(response.body).toEqual(Buffer.from('café', 'latin1'));
    expect(response.text()).toBe('café');
  });

  it('identifies itself and names a contact', async () => {
    const mirror = await startMirror();
    const seen = async (contactUrl?: string) => {
      const client = outgoingClient(store.database, contactUrl ? { contactUrl } : {});
      const response = await client.get(mirror.url(), { headers: { 'User-Agent': 'Mozilla/5.0' } });
      return JSON.parse(response.text()).headers['user-agent'];
    };
    expect(await seen('https://reader.example/about')).toBe(`Millrace/${VERSION} (+https://reader.example/about)`);
    expect(await seen()).toBe(`Millrace/${VERSION} (self-hosted feed engine)`);
  });

  it('sends nothing if it is aborted at the last moment, when it has a connection already', async () => {
    const seen: string[] = [];
    const site = await startSite(({ url = '' }, response) => response.end(`${seen.push(url)}`));
    const client = outgoingClient(store.database);
    const stop = new AbortController();
    const connections: number[] = [];
    const beforeSend = () => {
      connections.push(site.connections);
      stop.abort(new Error('too late'));
    };
    await expect(client.get(site.url('/a'), { signal: stop.signal, beforeSend })).rejects.toThrow('too late');
    await client.get(site.url('/b'));
    expect({ seen, connections }).toEqual({ seen: ['/b'], connections: [1] });
  });

  it('sends method, headers and body', async () => {
    const mirror = await startMirror();
    const client = outgoingClient(store.database);
    const response = await client.request(mirror.url('/hook?a=b'), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Signature': 's' },
      body: '{"a":1}',
    });
    expect(JSON.parse(response.text())).toMatchObject({
      method: 'POST',
      url: '/hook?a=b',
      body: '{"a":1}',
      headers: { 'content-type': 'application/json', 'x-signature': 's', 'content-length': '7' },
    });
  });

  it('turns user and password of the address into an Authorization header and shows them nowhere else', async () => {
    const mirror = await startMirror();
    const response = await outgoingClient(store.database).get(mirror.url('/', 'ann:pass@site.example'));
    expect(JSON.parse(response.text()).headers.authorization).toBe(`Basic ${btoa('ann:pass')}`);
    expect(response.url).toBe(mirror.url());
  });

  it('undoes the content encoding', async () => {
    const site = await startSite((request, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync(`you accept ${request.headers['accept-encoding']}`));
    });
    expect((await outgoingClient(store.database).get(site.url())).text()).toContain('you accept gzip, deflate, br');
  });
});

describe('validators', () => {
  const lastModified = 'Sun, 01 Mar 2026 12:00:00 GMT';

  it('come with a response, and asked again with them the server says 304 without a body', async () => {
    const site = await startSite((request, response) => {
      const { 'if-none-match': etag, 'if-modified-since': since } = request.headers;
      if (etag === '"v1"' && since === lastModified) response.writeHead(304, { 'content-encoding': 'gzip' }).end();
      else response.writeHead(200, { ETag: '"v1"', 'Last-Modified': lastModified }).end('feed');
    });
    const client = outgoingClient(store.database);
    const { validators } = await client.get(site.url());
    expect(validators).toEqual({ etag: '"v1"', lastModified });
    const again = await client.get(site.url(), { validators });
    expect(again.status).toBe(304);
    expect(again.body).toHaveLength(0);
    expect(again.validators).toEqual(validators);
  });

  it('reach the page at the end of a redirect, also on another site', async () => {
    const mirror = await startMirror();
    const site = await startSite((_, response) =>
      response.writeHead(302, { location: mirror.url('/', 'b.example') }).end(),
    );
    const response = await outgoingClient(store.database).get(site.url(), { validators: { etag: '"v1"' } });
    expect(JSON.parse(response.text()).headers['if-none-match']).toBe('"v1"');
  });
});

describe('redirects', () => {
  it('are followed, listed, and say where the page has moved for good', async () => {
    const statuses: Record<string, number> = { '/1': 301, '/2': 308, '/3': 302 };
    const site = await startSite(({ url = '' }, response) => {
      const status = statuses[url];
      if (status) response.writeHead(status, { location: `/${Number(url.slice(1)) + 1}` }).end('moved');
      else response.end('here');
    });
    const response = await outgoingClient(store.database).get(site.url('/1'));
    expect(response.text()).toBe('here');
    expect(response.url).toBe(site.url('/4'));
    expect(response.permanentUrl).toBe(site.url('/3'));
    expect(response.redirects).toEqual([
      { status: 301, from: site.url('/1'), to: site.url('/2') },
      { status: 308, from: site.url('/2'), to: site.url('/3') },
      { status: 302, from: site.url('/3'), to: site.url('/4') },
    ]);
  });

  it('to another site carry the body of a 307 but no secrets', async () => {
    const mirror = await startMirror();
    const site = await startSite((_, response) =>
      response.writeHead(307, { location: mirror.url('/', 'b.example') }).end(),
    );
    const response = await outgoingClient(store.database).request(site.url(), {
      method: 'POST',
      headers: { authorization: 'Bearer t', cookie: 'c=1' },
      body: 'kept',
    });
    const seen = JSON.parse(response.text());
    expect(seen).toMatchObject({ method: 'POST', body: 'kept' });
    expect(seen.headers).not.toHaveProperty('authorization');
    expect(seen.headers).not.toHaveProperty('cookie');
  });

  it('without a location are handed over as they are', async () => {
    const site = await startSite((_, response) => response.writeHead(301).end('where?'));
    const response = await outgoingClient(store.database).get(site.url());
    expect(response).toMatchObject({ status: 301, redirects: [] });
    expect(response.text()).toBe('where?');
  });

  it('to anything but the web are refused', async () => {
    const site = await startSite((_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end());
    await expect(outgoingClient(store.database).get(site.url())).rejects.toMatchObject({ code: 'INVALID_URL' });
  });
});

describe('a request that fails', () => {
  it.each(['', 'feeds.example/rss', 'ftp://feeds.example/', 'http://'])(
    'says that %j is no web address',
    async (url) => {
      await expect(outgoingClient(store.database).get(url)).rejects.toMatchObject({
        code: 'INVALID_URL',
        message: 'this is no http or https address',
      });
    },
  );

  it.each(['htps://ann:secret@feeds.example/', 'https://feeds example/?token=secret'])(
    'because of the address %j tells no secret of it',
    async (url) => {
      await expect(outgoingClient(store.database).get(url)).rejects.not.toThrow('secret');
    },
  );

  it('because nobody listens names the host and the reason, but not where its name leads to', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    await expect(outgoingClient(store.database).get(`http://feeds.example:${port}/?key=k`)).rejects.toMatchObject({
      name: 'OutgoingRequestError',
      code: 'NETWORK_ERROR',
      message: `http://feeds.example:${port} could not be read: connect ECONNREFUSED`,
    });
  });

  it('because the name is unknown says so', async () => {
    const lookup = () => Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }));
    const client = outgoingClient(store.database, { lookup });
    await expect(client.get('http://nowhere.example/')).rejects.toMatchObject({
      code: 'NETWORK_ERROR',
      message: 'http://nowhere.example could not be read: getaddrinfo ENOTFOUND',
    });
  });

  it.each([
    ['the server hangs up', {}, undefined],
    ['the gzip data ends too early', { 'content-encoding': 'gzip' }, gzipSync('a feed').subarray(0, -4)],
    ['the body is not in the encoding it says', { 'content-encoding': 'br' }, Buffer.from('<rss>plain</rss>')],
    ['the encoding is unknown', { 'content-encoding': 'rot13' }, Buffer.from('<eff>')],
    ['less comes than was announced', { 'content-length': '100' }, Buffer.from('short')],
  ])('because %s is a network error', async (_, headers, body) => {
    const site = await startSite((request, response) => {
      if (!body) return request.socket.destroy();
      response.writeHead(200, headers);
      return response.write(body, () => ('content-length' in headers ? request.socket.end() : response.end()));
    });
    await expect(outgoingClient(store.database).get(site.url())).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
  });
});

it('is there for every module that imports HttpModule', async () => {
  const config = { ...parseConfig({}), allowNetworks: ['127.0.0.1'] };
  const given = [
    { provide: CONFIG, useValue: config },
    { provide: Database, useValue: store.database },
    { provide: LOG, useValue: pino({ level: 'silent' }) },
  ];
  @Global()
  @Module({
    providers: [...given, Clock, Events, Metrics, Periodic],
    exports: [CONFIG, LOG, Database, Clock, Events, Metrics, Periodic],
  })
  class Platform {}
  const app = await Test.createTestingModule({ imports: [Platform, HttpModule] }).compile();
  const site = await startSite((_, response) => response.end('injected'));
  expect((await app.get(HttpClient).get(site.url('/', '127.0.0.1'))).text()).toBe('injected');
  await app.get(HttpClient).onApplicationShutdown();
});
