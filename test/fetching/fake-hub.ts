import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

type Signing = 'sha1' | 'sha256' | 'sha384' | 'sha512';

interface Subscriber {
  callback: string;
  topic: string;
  secret: string | undefined;
  leaseSeconds: number;
}

interface Delivery {
  body: string | Uint8Array;
  contentType?: string;
  /** Replaces the signature that the subscriber's secret would produce. */
  signature?: string | undefined;
  /** The topic that the delivery names. */
  self?: string;
}

/** A WebSub hub on loopback. It verifies subscribers, keeps leases, signs deliveries, and fails on request. */
export class FakeHub {
  /** All requests as they arrived. */
  readonly asked: URLSearchParams[] = [];
  readonly subscribers = new Map<string, Subscriber>();
  /** What callbacks answered to verifications that failed. */
  readonly disputes: string[] = [];
  signing: Signing = 'sha256';
  /** The lease that it grants, whatever was requested. */
  leaseSeconds: number | undefined;
  /** The answer to requests that it does not accept. */
  refuses: { status: number; words: string } | undefined;
  /** Denies requests instead of verifying them. */
  denies: string | undefined;
  /** Accepts requests and never verifies them. */
  forgets = false;
  private port = 0;
  private confirming: Promise<unknown> = Promise.resolve();
  private server = createServer((request, response) => this.answer(request, response));

  /** Runs until the test ends. */
  static async start(): Promise<FakeHub> {
    const hub = new FakeHub();
    await hub.revive();
    onTestFinished(() => hub.die());
    return hub;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hub`;
  }

  /** Restarts at the same address. Subscribers are forgotten, as by a hub without a disk. */
  async revive(): Promise<void> {
    this.server = createServer((request, response) => this.answer(request, response));
    await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  async die(): Promise<void> {
    this.subscribers.clear();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Returns what the callbacks answered. */
  async distribute(topic: string, delivery: Delivery): Promise<number[]> {
    await this.confirming;
    const wanting = [...this.subscribers.values()].filter((subscriber) => subscriber.topic === topic);
    return Promise.all(wanting.map((subscriber) => this.deliver(subscriber, delivery)));
  }

  /** Returns the only subscription. */
  async subscriber(): Promise<Subscriber> {
    await this.confirming;
    const [only] = this.subscribers.values();
    if (!only) throw new Error('nobody has subscribed');
    return only;
  }

  async deliver({ callback, topic, secret }: Subscriber, delivery: Delivery): Promise<number> {
    const { body, contentType = 'application/rss+xml', self = topic } = delivery;
    const bytes = Buffer.from(body);
    const signed = secret && `${this.signing}=${createHmac(this.signing, secret).update(bytes).digest('hex')}`;
    const signature = 'signature' in delivery ? delivery.signature : signed;
    const headers = {
      'content-type': contentType,
      link: `<${this.url}>; rel="hub", <${self}>; rel="self"`,
      ...(signature && { 'x-hub-signature': signature }),
    };
    const { status } = await fetch(callback, { method: 'POST', headers, body: bytes });
    return status;
  }

  /** Asks a callback whether it requested this. */
  async verify(callback: string, question: Record<string, string>): Promise<{ status: number; body: string }> {
    const url = new URL(callback);
    for (const [name, value] of Object.entries(question)) url.searchParams.set(name, value);
    const response = await fetch(url);
    return { status: response.status, body: await response.text() };
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request));
    this.asked.push(form);
    if (request.method !== 'POST' || this.refuses) {
      const { status, words } = this.refuses ?? { status: 405, words: 'POST only' };
      response.writeHead(status, { 'content-type': 'text/plain' }).end(words);
      return;
    }
    response.writeHead(202).end();
    if (!this.forgets) this.confirming = Promise.all([this.confirming, this.confirm(form)]);
  }

  private async confirm(form: URLSearchParams): Promise<void> {
    const [mode, topic, callback] = ['hub.mode', 'hub.topic', 'hub.callback'].map((name) => form.get(name) ?? '');
    if (!mode || !topic || !callback) return;
    if (this.denies !== undefined) {
      await this.verify(callback, { 'hub.mode': 'denied', 'hub.topic': topic, 'hub.reason': this.denies });
      return;
    }
    const challenge = randomUUID();
    const leaseSeconds = this.leaseSeconds ?? Number(form.get('hub.lease_seconds') ?? 864_000);
    const lease = mode === 'subscribe' ? { 'hub.lease_seconds': String(leaseSeconds) } : undefined;
    const question = { 'hub.mode': mode, 'hub.topic': topic, 'hub.challenge': challenge, ...lease };
    const { status, body } = await this.verify(callback, question);
    if (status !== 200 || body !== challenge) this.disputes.push(`${status} ${body}`);
    else if (mode === 'unsubscribe') this.subscribers.delete(callback);
    else this.subscribers.set(callback, { callback, topic, secret: form.get('hub.secret') ?? undefined, leaseSeconds });
  }
}
