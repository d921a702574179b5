import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Type } from '@nestjs/common';
import { FeedsModule } from '../../src/feeds/feeds.module.js';
import { FetchingModule } from '../../src/fetching/fetching.module.js';
import { ImportsModule } from '../../src/imports/imports.module.js';
import { OperationsModule } from '../../src/operations/operations.module.js';
import { Declarations } from '../../src/platform/broker/declarations.js';
import { Database } from '../../src/platform/database/database.js';
import { waitingRow } from '../../src/platform/jobs/job-columns.js';
import { Jobs } from '../../src/platform/jobs/jobs.js';
import { PublishingModule } from '../../src/publishing/publishing.module.js';
import { ScrapingModule } from '../../src/scraping/scraping.module.js';
import { startApi } from '../harness/api.js';
import type { OwnRabbitmq } from '../harness/rabbitmq.js';
import { createTaskTables, TasksModule, taskJob, tasks } from '../queue/tasks.js';
import { MovedMetrics } from './moved-metrics.js';

interface Servers {
  databaseUrl: string;
  redisUrl: string;
  rabbitmq: OwnRabbitmq;
}

/** Every metric of the program is updated in one of these. */
export const EVERY_FEATURE: Type[] = [
  FetchingModule,
  FeedsModule,
  ImportsModule,
  ScrapingModule,
  PublishingModule,
  OperationsModule,
];

/** The whole program in this process, with a receiver of alerts whose answers the test chooses. */
export async function startMetricsWorld({ databaseUrl, redisUrl, rabbitmq }: Servers) {
  const webhook = { answers: 500 };
  const receiver = createServer((_, response) => response.writeHead(webhook.answers).end());
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  const { port } = receiver.address() as AddressInfo;
  const api = await startApi({
    databaseUrl,
    config: {
      redisUrl,
      rabbitmqUrl: rabbitmq.url,
      rabbitmqManagementUrl: rabbitmq.managementUrl,
      allowNetworks: ['127.0.0.1'],
      requestsPerMinute: 100_000,
      importRate: 100_000,
      sweepMs: 500,
      remoteTypes: ['far'],
      remoteScrapers: ['finder'],
      secretKeys: ['a-secret-key-for-metrics-only'],
      alertWebhook: `http://127.0.0.1:${port}`,
      hostConcurrency: 10,
      platformLimits: new Map([['webhook', { most: 50, windowMs: 3_600_000 }]]),
    },
    modules: [...EVERY_FEATURE, TasksModule],
  });
  const { db } = api.app.get(Database);
  await createTaskTables(db);
  await api.app.get(Declarations).declareAll();
  const metrics = new MovedMetrics(api);

  async function send(method: 'GET' | 'POST', path: string, payload?: object, user = 'ann') {
    const request = { method, url: `/api/v1${path}`, headers: { 'x-millrace-user': user }, key: api.adminKey };
    const answer = await api.send({ ...request, ...(payload && { payload }) });
    if (answer.statusCode >= 300) throw new Error(`${path} was answered with ${answer.statusCode}: ${answer.body}`);
    return answer.json();
  }

  return {
    ...api,
    metrics,
    webhook,
    send,
    /** Sends a request as an admin. Any answer is accepted. */
    admin: (path: string) => api.send({ method: 'POST', url: `/api/v1${path}`, key: api.adminKey }),
    async runTask(script: string): Promise<void> {
      await api.app
        .get(Jobs)
        .enqueueRows(taskJob, await db.insert(tasks).values({ script }).returning(waitingRow(tasks)));
    },
    follow: async (externalId: string, { type = 'rss', user = 'ann' } = {}): Promise<string> =>
      (await send('POST', '/sources/follow', { type, externalId }, user)).id,
    async stop() {
      metrics.stop();
      await api.stop();
      receiver.close();
    },
  };
}
