import type { RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { HttpClient, RequestOptions } from '../../src/platform/http/http-client.js';
import type { OutgoingRequestError } from '../../src/platform/http/outgoing-request-error.js';
import { type Site, startSite } from '../harness/site.js';

type PluginHttp = Pick<HttpClient, 'get' | 'request'>;

let hosts = 0;

/** Starts a site at its own host name, because a refusal closes the host for all. */
export async function siteApart(listener: RequestListener): Promise<Site & { base: string }> {
  hosts += 1;
  const site = await startSite(listener);
  return Object.assign(site, { base: site.url('/', `apart-${hosts}.example`) });
}

export const answerWith =
  (status: number, body: string | Uint8Array = '', headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

/** What a site may do to a connection, and the error code of the HTTP client for it. */
export const BROKEN_CONNECTIONS: [what: string, listener: RequestListener, code: OutgoingRequestError['code']][] = [
  ['drops the connection', (request) => void request.socket.destroy(), 'NETWORK_ERROR'],
  ['never answers', () => undefined, 'TIMEOUT'],
  ['stops in the middle', (_, response) => void response.writeHead(200).write('{'), 'TIMEOUT'],
  ['sends 11 MB', answerWith(200, Buffer.alloc(11_000_000, ' ')), 'TOO_LARGE'],
];

/** Where a site may redirect GET requests. */
export const BROKEN_REDIRECTS: typeof BROKEN_CONNECTIONS = [
  ['redirects to itself', (request, response) => redirect(request.url ?? '/', response), 'TOO_MANY_REDIRECTS'],
  ['redirects to a private network', (_, response) => redirect('http://10.0.0.1/', response), 'ADDRESS_REFUSED'],
];

const redirect = (location: string, response: Parameters<RequestListener>[1]) =>
  void response.writeHead(302, { location }).end();

/** Bodies that no API and no feed sends. */
export const UNREADABLE_BODIES: [what: string, body: string | Uint8Array, contentType: string][] = [
  ['a web page', '<!doctype html><title>Before you continue</title>', 'text/html'],
  ['nothing', '', 'application/json'],
  ['words', 'short and stout', 'text/plain'],
  ['half an object', '{"items": [', 'application/json'],
  ['noise', Buffer.from(Array.from({ length: 50_000 }, (_, at) => (at * 7919) % 256)), 'application/octet-stream'],
  ['100,000 brackets', '['.repeat(100_000), 'application/json'],
  ['100,000 elements in each other', '<a>'.repeat(100_000), 'application/xml'],
  ['a list of 200,000 numbers', `[${'0,'.repeat(200_000)}0]`, 'application/json'],
];

/** The same client with shorter timeouts, so that a test need not wait for a site that never answers. */
export function impatient(http: PluginHttp): PluginHttp {
  const soon = (options: RequestOptions = {}) => ({ ...options, timeouts: { headers: 300, body: 300, total: 5_000 } });
  return {
    get: (url, options) => http.get(url, soon(options)),
    request: (url, options) => http.request(url, soon(options)),
  };
}

/** Passes on the answers of another site with another content type. */
export function relayed(origin: Site, contentType: string): RequestListener {
  return async (request, response) => {
    const { method = 'GET', url, headers } = request;
    const body = method === 'GET' ? null : new Uint8Array(await buffer(request));
    const sent = Object.entries(headers).filter(([name]) => !/^(host|connection|content-length)$/.test(name));
    const answer = await fetch(origin.url(url, '127.0.0.1'), {
      method,
      body,
      headers: sent.map(([n, v]) => [n, `${v}`]),
    });
    response.writeHead(answer.status, { 'content-type': contentType }).end(Buffer.from(await answer.arrayBuffer()));
  };
}
