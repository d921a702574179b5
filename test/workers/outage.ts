import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from 'rabbitmq-client';
import { expect, onTestFinished } from 'vitest';
import type { FetchCommand } from '../../src/contracts/fetch-command.js';
import { Declarations } from '../../src/platform/broker/declarations.js';
import { ScrapingModule } from '../../src/scraping/scraping.module.js';
import type { OwnRabbitmq } from '../harness/rabbitmq.js';
import { startReader } from '../harness/reader.js';
import { answering, remotePost } from './made-answers.js';

const TYPE = 'outage';
const RECONNECT = { retryLow: 200, retryHigh: 1_000 };

export interface Outage {
  databaseUrl: string;
  rabbitmq: OwnRabbitmq;
  sources: number;
  downMs: number;
}

/**
 * Kills the broker while sources are fetched and scrape jobs are sent in, and starts it again. Nobody is told: the API
 * answers all the while, every source is fetched in the end, and every message that was confirmed has arrived.
 */
export async function outage({ databaseUrl, rabbitmq, sources, downMs }: Outage): Promise<void> {
  const config = { rabbitmqUrl: rabbitmq.url, remoteTypes: [TYPE], remoteConcurrency: 20 };
  const reader = await startReader(databaseUrl, config, [ScrapingModule]);
  const ann = reader.as('ann');
  startWorker(rabbitmq.url);
  // RabbitMQ confirms unroutable messages as well.
  await reader.app.get(Declarations).declareAll();
  const sender = new Sender(rabbitmq.url);
  for (let n = 0; n < sources; n++)
    await ann.send('POST', '/sources/follow', { type: TYPE, externalId: `account-${n}` });
  const titles = async () => (await ann.titles('?limit=100')).length;

  await expect.poll(titles, { timeout: 60_000 }).toBeGreaterThan(sources / 10);
  await expect.poll(() => sender.confirmed.length, { timeout: 60_000 }).toBeGreaterThan(5);
  await rabbitmq.kill();
  const back = sleep(downMs).then(() => rabbitmq.start());
  for (const until = Date.now() + downMs; Date.now() < until; await sleep(100)) {
    expect((await ann.send('GET', '/feed')).status).toBe(200);
    expect((await ann.send('GET', '/sources')).status).toBe(200);
  }
  await back;

  await expect.poll(titles, { timeout: 120_000, interval: 500 }).toBe(sources);
  const before = sender.confirmed.length;
  await expect.poll(() => sender.confirmed.length, { timeout: 60_000 }).toBeGreaterThan(before + 5);
  await sender.stop();
  const missing = async () => {
    const stored = new Set<string>();
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await reader.as('sender').send('GET', `/jobs/scrape?limit=100${cursor && `&cursor=${cursor}`}`);
      for (const { id } of body.items) stored.add(id);
      cursor = body.nextCursor;
    }
    return sender.confirmed.filter((id) => !stored.has(id));
  };
  await expect.poll(missing, { timeout: 60_000 }).toEqual([]);
}

/** Handles one message at a time, 50 ms each, and reconnects by itself. */
function startWorker(url: string): void {
  const connection = new Connection({ url, noDelay: true, ...RECONNECT });
  connection.on('error', () => undefined);
  onTestFinished(() => connection.unsafeDestroy());
  const consumer = connection.createConsumer(
    { queue: `fetch.${TYPE}`, queueOptions: { passive: true }, qos: { prefetchCount: 1 } },
    async ({ body }: { body: FetchCommand }, reply) => {
      await sleep(50);
      await reply(answering(body, { data: { posts: [remotePost(body.externalId)], hasMore: false } }));
    },
  );
  consumer.on('error', () => undefined);
}

/** Another service that sends scrape jobs and records which of them RabbitMQ has confirmed. */
class Sender {
  readonly confirmed: string[] = [];
  private readonly connection: Connection;
  private readonly sending: Promise<void>;
  private stopped = false;

  constructor(url: string) {
    this.connection = new Connection({ url, noDelay: true, acquireTimeout: 1_000, ...RECONNECT });
    this.connection.on('error', () => undefined);
    onTestFinished(() => this.connection.unsafeDestroy());
    this.sending = this.send();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.sending;
  }

  private async send(): Promise<void> {
    const publisher = this.connection.createPublisher({ confirm: true });
    for (let n = 1; !this.stopped; n++) {
      const job = { job_id: `job-${n}`, user_id: 'sender', source_types: ['web'], filters: { sites: ['127.0.0.1'] } };
      // An unconfirmed message may or may not have arrived, and a sender would send it again.
      await publisher.send({ routingKey: 'scrape_jobs', durable: true }, job).then(
        () => this.confirmed.push(job.job_id),
        () => undefined,
      );
      await sleep(300);
    }
  }
}
