import { setTimeout as sleep } from 'node:timers/promises';
import type { FeedSite } from '../harness/feed-site.js';
import { type FakeWebhookPublishing, WEBHOOK_SECRET } from '../platforms/fake-webhook-publishing.js';
import { ask } from '../program/api-client.js';
import { FLEET_KEY } from './fleet.js';

/** Long enough that some tasks are running whenever a process is stopped. */
const TASK_MS = 300;

interface Place {
  url: string;
  site: FeedSite;
  webhook: FakeWebhookPublishing;
  /** Pause between two rounds of requests. */
  everyMs: number;
}

/** A client that creates tasks and reads all the time. It repeats no request. */
export class SteadyLoad {
  /** Requests without the expected answer. */
  readonly failures: string[] = [];
  requests = 0;
  tasks = 0;
  readonly texts: string[] = [];
  readonly feeds: string[] = [];
  private readonly underWay = new Set<Promise<unknown>>();
  private stopped = false;
  private going: Promise<void> | undefined;
  private accountId = '';

  constructor(private readonly place: Place) {}

  async begin(): Promise<void> {
    const credentials = { url: `${this.place.webhook.url}hook`, secret: WEBHOOK_SECRET };
    const account = await this.send('/accounts', { platform: 'webhook', name: 'mine', credentials });
    this.accountId = (account as { id: string }).id;
    this.going = this.go();
  }

  /** Resolves when all requests have been answered. */
  async end(): Promise<void> {
    this.stopped = true;
    await this.going;
    await Promise.all(this.underWay);
  }

  private async go(): Promise<void> {
    for (let round = 0; !this.stopped; round++) {
      this.underTake(this.send('/tasks', { script: `sleep ${TASK_MS}` }));
      this.tasks += 1;
      this.underTake(this.send(round % 2 ? '/feed' : '/publications?limit=10'));
      if (round % 3 === 0) this.follow(round);
      if (round % 3 === 1) this.publish(round);
      await sleep(this.place.everyMs);
    }
  }

  private follow(round: number): void {
    const path = `/feed-${round}`;
    this.feeds.push(path);
    this.place.site.publish(path, { guid: `${round}`, title: `Post of ${round}` });
    this.underTake(this.send('/sources/follow', { type: 'rss', externalId: this.place.site.url(path) }));
  }

  private publish(round: number): void {
    const text = `News of ${round}`;
    this.texts.push(text);
    this.underTake(this.send('/publications', { accountId: this.accountId, content: { text } }));
  }

  private underTake(request: Promise<unknown>): void {
    this.underWay.add(request);
    void request.finally(() => this.underWay.delete(request));
  }

  private async send(path: string, body?: object): Promise<unknown> {
    this.requests += 1;
    try {
      const answer = await ask(`${this.place.url}/api/v1${path}`, {
        key: FLEET_KEY,
        user: 'somebody',
        ...(body && { body }),
      });
      const told = await answer.json();
      if (!answer.ok) this.failures.push(`${path}: ${answer.status} ${JSON.stringify(told)}`);
      return told;
    } catch (error) {
      this.failures.push(`${path}: ${error}`);
      return undefined;
    }
  }
}
