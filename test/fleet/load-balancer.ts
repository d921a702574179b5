import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

const LOOK_INTERVAL_MS = 200;
const PROBE_MS = 2_000;
/** Failed probes in a row after which a backend gets no requests, as in Kubernetes. One slow answer is not enough. */
const MAX_BAD_ANSWERS = 3;
/** Headers that concern a single connection and are not passed on. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding'];

/**
 * Does what those of Kubernetes or nginx do: keeps connections to its backends, sends each request to the next that said it
 * is ready, and tries none a second time.
 */
export class LoadBalancer {
  /** Requests for which no backend was available, or whose backend did not answer. */
  readonly failures: string[] = [];
  private ready: string[] = [];
  /** Failures in a row. */
  private readonly badAnswers = new Map<string, number>();
  private turn = 0;
  private stopped = false;
  private readonly agent = new Agent({ keepAlive: true });
  private readonly server = createServer((asked, answer) => this.forward(asked, answer));

  /** `backends` returns the current addresses. The balancer runs until the test ends. */
  static async start(backends: () => string[]): Promise<LoadBalancer> {
    const balancer = new LoadBalancer(backends);
    await new Promise<void>((resolve) => balancer.server.listen(0, '127.0.0.1', resolve));
    const looking = balancer.keepLooking();
    onTestFinished(async () => {
      balancer.stopped = true;
      balancer.agent.destroy();
      balancer.server.closeAllConnections();
      balancer.server.close();
      await looking;
    });
    return balancer;
  }

  private constructor(private readonly backends: () => string[]) {}

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Backends that receive requests. */
  get inService(): readonly string[] {
    return this.ready;
  }

  private async keepLooking(): Promise<void> {
    for (; !this.stopped; await sleep(LOOK_INTERVAL_MS)) {
      const addresses = this.backends();
      await Promise.all(addresses.map((address) => this.probe(address)));
      this.ready = addresses.filter((address) => (this.badAnswers.get(address) ?? 0) < MAX_BAD_ANSWERS);
    }
  }

  /** A new backend gets no requests until it reports that it is ready. */
  private async probe(address: string): Promise<void> {
    const before = this.badAnswers.get(address) ?? MAX_BAD_ANSWERS;
    this.badAnswers.set(address, (await isReady(address)) ? 0 : before + 1);
  }

  /** If no backend is ready, as on an overloaded machine, all get requests: many load balancers fail open. */
  private readyLast(): string | undefined {
    const bad = (address: string) => this.badAnswers.get(address) ?? Number.POSITIVE_INFINITY;
    return this.backends().toSorted((a, b) => bad(a) - bad(b))[0];
  }

  private forward(asked: IncomingMessage, answer: ServerResponse): void {
    const backend = this.ready[this.turn++ % this.ready.length] ?? this.readyLast();
    if (!backend) {
      this.fail(asked, answer, 'nobody is there');
      return;
    }
    const { method, headers } = asked;
    const sent = request(`${backend}${asked.url}`, { method, headers: endToEnd(headers), agent: this.agent });
    sent.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, endToEnd(response.headers));
      response.on('error', (error) => answer.destroy(error)).pipe(answer);
    });
    sent.on('error', (error) => this.fail(asked, answer, `${backend}: ${error.message}`));
    asked.pipe(sent);
  }

  private fail({ method, url }: IncomingMessage, answer: ServerResponse, reason: string): void {
    this.failures.push(`${method} ${url}: ${reason}`);
    if (answer.headersSent) answer.destroy();
    else answer.writeHead(502).end();
  }
}

const endToEnd = (headers: IncomingMessage['headers']) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name)));

async function isReady(address: string): Promise<boolean> {
  try {
    const { ok } = await fetch(`${address}/health/ready`, { signal: AbortSignal.timeout(PROBE_MS) });
    return ok;
  } catch {
    return false;
  }
}
