import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Visit {
  method: string;
  url: URL;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

export interface Reply {
  status?: number;
  type?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Delay of the reply, in milliseconds. */
  afterMs?: number;
  /** Cuts the connection instead of replying. */
  drops?: boolean;
}

export type Site = (visit: Visit) => Reply;

/**
 * Web sites on loopback, each with its own name: `http://<name>.localhost:<port>/`. Browsers resolve such names to loopback,
 * and Millrace treats each as a host of its own.
 */
export class LocalSites {
  private readonly sites = new Map<string, Site>();
  private readonly stopping = new AbortController();
  private server: Server | undefined;
  private port = 0;

  async start(): Promise<this> {
    const server = createServer((request, response) => void this.serve(request, response));
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
    this.server = server;
    // Every delayed reply listens to the signal.
    setMaxListeners(0, this.stopping.signal);
    this.port = (server.address() as AddressInfo).port;
    return this;
  }

  /** Returns the address of the site, with a trailing slash. */
  add(name: string, site: Site): string {
    this.sites.set(name, site);
    return this.addressOf(name);
  }

  addressOf(name: string): string {
    return `http://${name}.localhost:${this.port}/`;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const name = /^([\w-]+)\.localhost(:\d+)?$/.exec(request.headers.host ?? '')?.[1] ?? '';
      const reply = this.sites.get(name)?.(await visitOf(request)) ?? { status: 404, body: 'There is no such site.' };
      if (reply.afterMs) await sleep(reply.afterMs, undefined, { signal: this.stopping.signal });
      if (reply.drops) request.socket.destroy();
      else send(response, reply, request.method === 'HEAD');
    } catch (error) {
      if (this.stopping.signal.aborted || request.destroyed) return;
      send(response, { status: 500, body: (error as Error).message }, false);
    }
  }
}

async function visitOf(request: IncomingMessage): Promise<Visit> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
  return { method: request.method ?? '', url, headers: request.headers, body: Buffer.concat(chunks) };
}

function send(response: ServerResponse, reply: Reply, isHead: boolean): void {
  const { status = 200, type = 'text/html; charset=utf-8', headers, body = '' } = reply;
  response.writeHead(status, { 'Content-Type': type, ...headers });
  response.end(isHead ? undefined : body);
}
