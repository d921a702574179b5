import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Json = Record<string, unknown>;

export interface Answer {
  status: number;
  /** Sent as it is if it is a string, else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Asked {
  method: string;
  url: URL;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** What can happen to a call. The "after" ones have done what they were asked for. */
export const FAULTS = [
  'too many',
  'fails before',
  'drops before',
  'fails after',
  'drops after',
  'slow after',
  'no JSON after',
] as const;
export type Fault = (typeof FAULTS)[number];

/**
 * What becomes of every call, whatever it is for: an answer, a connection that is cut, one that is cut without an answer after
 * `slowMs`, or a 503 with the time at which to come back. 'cut after' has done what it was asked for.
 */
export type Outage = Answer | 'cut' | 'cut after' | 'silent' | 'closed';

const AFTER: Fault[] = ['fails after', 'drops after', 'slow after', 'no JSON after'];

/** A platform's API on loopback, in this or in a process of its own, that goes wrong where it is told to. */
export abstract class FaultyApi {
  /** Every call: its method, its path and what it is for. */
  readonly calls: string[] = [];
  /** With which probability each fault happens to a call that shows a post. */
  readonly chances: Partial<Record<Fault, number>> = {};
  random: () => number = Math.random;
  now: () => Date = () => new Date();
  retryAfterSeconds = 30;
  slowMs = 60_000;
  outage: Outage | undefined;
  /** The largest number of calls that were open at a time. */
  mostAtOnce = 0;
  /** Once it has been started. */
  url = '';
  private openCalls = 0;
  private readonly planned: { fault: Fault; purpose: string }[] = [];
  private server: Server | undefined;

  /** The next calls for a purpose meet a fault. */
  plan(fault: Fault, purpose = this.showing, count = 1): void {
    for (let call = 0; call < count; call += 1) this.planned.push({ fault, purpose });
  }

  async listen(host: string): Promise<this> {
    const port = await this.open(0);
    this.url = `http://${host}:${port}/`;
    return this;
  }

  /** After it was closed, at the same address. */
  async reopen(): Promise<void> {
    await this.open(Number(new URL(this.url).port));
  }

  private async open(port: number): Promise<number> {
    const server = createServer((request, response) => void this.serve(request, response));
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    this.server = server;
    return (server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  /** The purpose of the calls that show a post. */
  protected abstract readonly showing: string;
  protected abstract purposeOf(asked: Asked): string;
  protected abstract answer(asked: Asked): Answer;

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.openCalls += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.openCalls);
    response.once('close', () => {
      this.openCalls -= 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const url = new URL(request.url ?? '/', this.url);
    const asked = { method: request.method ?? '', url, headers: request.headers, body: Buffer.concat(chunks) };
    const purpose = this.purposeOf(asked);
    this.calls.push(`${asked.method} ${url.pathname} (${purpose})`);
    if (this.outage) return this.fail(this.outage, asked, { request, response });
    const fault = this.faultFor(purpose);
    const answer = !fault || AFTER.includes(fault) ? this.answer(asked) : undefined;
    if (fault === 'drops before' || fault === 'drops after') request.socket.destroy();
    else if (fault === 'slow after') setTimeout(() => send(response, answer), this.slowMs).unref();
    else send(response, fault ? this.wrong(fault, asked) : answer);
  }

  private fail(outage: Outage, asked: Asked, { request, response }: Exchange): void {
    if (outage === 'cut after') this.answer(asked);
    if (outage === 'closed') send(response, { status: 503, headers: { 'Retry-After': this.opensAt() } });
    else if (outage === 'silent') setTimeout(() => request.socket.destroy(), this.slowMs).unref();
    else if (typeof outage === 'string') request.socket.destroy();
    else send(response, outage);
  }

  /** As a date, because its clock may be another than its visitors'. */
  private opensAt(): string {
    return new Date(this.now().getTime() + this.retryAfterSeconds * 1_000).toUTCString();
  }

  private faultFor(purpose: string): Fault | undefined {
    const at = this.planned.findIndex((plan) => plan.purpose === purpose);
    if (at >= 0) return this.planned.splice(at, 1)[0]?.fault;
    if (purpose !== this.showing) return undefined;
    return FAULTS.find((fault) => this.random() < (this.chances[fault] ?? 0));
  }

  /** Careless servers repeat in their errors what they were sent. */
  private wrong(fault: Fault, { headers, body }: Asked): Answer {
    const sent = `${headers.authorization} ${body.subarray(0, 500)}`;
    if (fault === 'no JSON after') return { status: 200, body: `<html>${sent}` };
    if (fault !== 'too many') return { status: 500, body: { message: sent, error: { message: sent } } };
    const message = `too many requests: ${sent}`;
    const retry = { 'Retry-After': String(this.retryAfterSeconds) };
    return { status: 429, body: { message, error: { code: 429, message } }, headers: retry };
  }
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

function send(response: ServerResponse, { status, body = '', headers }: Answer = { status: 500 }): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
