import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Json = Record<string, unknown>;

export interface Answer {
  status: number;
  /** A string is sent unchanged, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Asked {
  method: string;
  url: URL;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** Faults that a call can meet. The "after" faults happen once the call has taken effect. */
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
 * How every call ends, whatever its purpose: with an answer, a cut connection, a connection that is cut without an answer after
 * `slowMs`, or a 503 with the time of the next attempt. 'cut after' happens once the call has taken effect.
 */
export type Outage = Answer | 'cut' | 'cut after' | 'silent' | 'closed';

const AFTER: Fault[] = ['fails after', 'drops after', 'slow after', 'no JSON after'];

/** The API of a platform on loopback, in this process or in its own, that fails where it is configured to. */
export abstract class FaultyApi {
  /** Every call, with its method, path and purpose. */
  readonly calls: string[] = [];
  /** The probability of each fault for a call that publishes a post. */
  readonly chances: Partial<Record<Fault, number>> = {};
  random: () => number = Math.random;
  now: () => Date = () => new Date();
  retryAfterSeconds = 30;
  slowMs = 60_000;
  outage: Outage | undefined;
  /** Answers that replace the normal ones, by the purpose of the call, until they are removed. */
  readonly refusals = new Map<string, Answer>();
  /** The largest number of calls that were open at the same time. */
  mostAtOnce = 0;
  /** Available once it has been started. */
  url = '';
  private openCalls = 0;
  private readonly planned: { fault: Fault; purpose: string }[] = [];
  private server: Server | undefined;

  /** Makes the next calls of a purpose fail. */
  plan(fault: Fault, purpose = this.showing, count = 1): void {
    for (let call = 0; call < count; call += 1) this.planned.push({ fault, purpose });
  }

  /** Replaces the answer to all calls of a purpose. */
  refuse(answer: Answer, purpose = this.showing): void {
    this.refusals.set(purpose, answer);
  }

  async listen(host: string): Promise<this> {
    const port = await this.open(0);
    this.url = `http://${host}:${port}/`;
    return this;
  }

  /** Starts again at the same address after it was closed. */
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

  /** The purpose of the calls that publish a post. */
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
    const answer = !fault || AFTER.includes(fault) ? (this.refusals.get(purpose) ?? this.answer(asked)) : undefined;
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

  /** Written as a date, because the clock of the API may differ from the caller's. */
  private opensAt(): string {
    return new Date(this.now().getTime() + this.retryAfterSeconds * 1_000).toUTCString();
  }

  private faultFor(purpose: string): Fault | undefined {
    const at = this.planned.findIndex((plan) => plan.purpose === purpose);
    if (at >= 0) return this.planned.splice(at, 1)[0]?.fault;
    if (purpose !== this.showing) return undefined;
    return FAULTS.find((fault) => this.random() < (this.chances[fault] ?? 0));
  }

  /** Some servers repeat the request in their errors. */
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
