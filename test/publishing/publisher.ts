import { onTestFinished, vi } from 'vitest';
import { OperationsModule } from '../../src/operations/operations.module.js';
import type { Config } from '../../src/platform/config.js';
import type { AccountView } from '../../src/publishing/accounts/accounts.controller.js';
import type { PublicationView } from '../../src/publishing/publications/publication-view.js';
import { PublishingModule } from '../../src/publishing/publishing.module.js';
import { startApi } from '../harness/api.js';
import { FakeMastodonPublishing, MASTODON_TOKEN } from '../platforms/fake-mastodon-publishing.js';
import { FakeWebhookPublishing, WEBHOOK_SECRET } from '../platforms/fake-webhook-publishing.js';
import { MovedTime } from './moved-time.js';

export const adminKey = 'an-admin-key-for-publishing-only';
const WAIT_OPTIONS = { timeout: 20_000, interval: 50 };

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Millrace with all that publishes, in real time. Loopback is allowed, as the platforms are there. */
export async function startPublishing(databaseUrl: string, config: Partial<Config> = {}) {
  const api = await startApi({
    databaseUrl,
    config: { allowNetworks: ['127.0.0.1'], adminKey, requestsPerMinute: 100_000, hostConcurrency: 10, ...config },
    modules: [PublishingModule, OperationsModule],
  });
  const stop = once(api.stop);
  onTestFinished(stop);
  const time = new MovedTime(api.app, api.clock);
  const as = (user: string) => new Publisher(user, api.send);
  return { ...api, as, time, stop };
}

export type Publishing = Awaited<ReturnType<typeof startPublishing>>;

/** Somebody who publishes. */
export class Publisher {
  constructor(
    private readonly name: string,
    private readonly ask: Awaited<ReturnType<typeof startApi>>['send'],
  ) {}

  async send(method: Method, path: string, payload?: object) {
    const headers = { 'x-millrace-user': this.name };
    const answer = await this.ask({
      method,
      url: `/api/v1${path}`,
      headers,
      key: adminKey,
      ...(payload && { payload }),
    });
    return { status: answer.statusCode, body: answer.body ? answer.json() : undefined };
  }

  /** An account on a fake Mastodon, unless the test says otherwise. */
  async account(given: object): Promise<AccountView> {
    return this.expect(201, await this.send('POST', '/accounts', { name: 'mine', ...given }));
  }

  async publish(wanted: object): Promise<PublicationView> {
    return this.expect(202, await this.send('POST', '/publications', wanted));
  }

  async find(id: string): Promise<PublicationView> {
    return this.expect(200, await this.send('GET', `/publications/${id}`));
  }

  when(id: string, status: string): Promise<PublicationView> {
    return vi.waitFor(async () => {
      const now = await this.find(id);
      if (now.status !== status) throw new Error(`not yet: ${JSON.stringify(now)}`);
      return now;
    }, WAIT_OPTIONS);
  }

  /** Until it is back from a worker, or was never given to one, and tells until when it waits. */
  waits(id: string): Promise<PublicationView> {
    return vi.waitFor(async () => {
      const now = await this.find(id);
      if (!now.waitsUntil) throw new Error(`not yet: ${JSON.stringify(now)}`);
      return now;
    }, WAIT_OPTIONS);
  }

  expect<T>(wanted: number, { status, body }: { status: number; body: unknown }): T {
    if (status !== wanted) throw new Error(`answered with ${status}: ${JSON.stringify(body)}`);
    return body as T;
  }
}

export async function startMastodon() {
  const fake = await FakeMastodonPublishing.start();
  onTestFinished(() => fake.close());
  const credentials = { baseUrl: fake.url, accessToken: MASTODON_TOKEN };
  return { fake, given: { platform: 'mastodon', credentials } };
}

export async function startWebhook() {
  const fake = await FakeWebhookPublishing.start();
  onTestFinished(() => fake.close());
  return { fake, given: { platform: 'webhook', credentials: { url: `${fake.url}hook`, secret: WEBHOOK_SECRET } } };
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}
