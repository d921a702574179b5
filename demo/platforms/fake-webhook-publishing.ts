import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Answer, type Asked, FaultyApi, type Json } from './faulty-api.js';

export const WEBHOOK_SECRET = 'webhook-secret "1"';

export interface WebhookPost {
  key: string;
  text: string;
  message: Json;
  at: Date;
}

const MAX_AGE_MS = 5 * 60_000;

let instances = 0;

/** A receiver that checks signatures and shows each key once. */
export class FakeWebhookPublishing extends FaultyApi {
  /** The accepted posts, oldest first. */
  readonly posts: WebhookPost[] = [];
  readonly pings: Json[] = [];
  /** Every delivery, repeated ones included. */
  readonly received: { headers: Asked['headers']; body: string }[] = [];
  secret = WEBHOOK_SECRET;
  honoursKeys = true;
  /** The answer to an accepted post. */
  receipt: unknown;
  protected readonly showing = 'publication';

  static start({ host = '127.0.0.1' } = {}): Promise<FakeWebhookPublishing> {
    return new FakeWebhookPublishing().listen(host);
  }

  /** At a host of its own: what one refuses does not close another. */
  static startApart(): Promise<FakeWebhookPublishing> {
    instances += 1;
    return FakeWebhookPublishing.start({ host: `webhook-${instances}.example` });
  }

  protected purposeOf({ body }: Asked): string {
    return body.includes('"type":"ping"') ? 'ping' : 'publication';
  }

  protected answer({ method, headers, body }: Asked): Answer {
    this.received.push({ headers, body: body.toString() });
    if (method !== 'POST' || headers['content-type'] !== 'application/json') return { status: 415 };
    if (!this.isSigned(headers, body)) return { status: 401, body: { message: `${this.secret} did not sign this` } };
    const message = JSON.parse(body.toString());
    if (message.type === 'ping') {
      this.pings.push(message);
      return { status: 204 };
    }
    return this.take(message, headers['idempotency-key'] as string | undefined);
  }

  private take(message: Json, key: string | undefined): Answer {
    if (!key || key !== message.id) return { status: 400, body: { message: 'the key is missing' } };
    const isKnown = this.honoursKeys && this.posts.some((post) => post.key === key);
    if (!isKnown) this.posts.push({ key, text: String(message.text), message, at: this.now() });
    return { status: 202, body: this.receipt };
  }

  private isSigned(headers: Asked['headers'], body: Buffer): boolean {
    const timestamp = String(headers['x-millrace-timestamp']);
    const age = Math.abs(this.now().getTime() - Number(timestamp) * 1000);
    const right = createHmac('sha256', this.secret).update(`${timestamp}.`).update(body).digest();
    const given = Buffer.from(String(headers['x-millrace-signature']).replace(/^sha256=/, ''), 'hex');
    return age < MAX_AGE_MS && given.length === right.length && timingSafeEqual(given, right);
  }
}
