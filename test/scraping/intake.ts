import { Connection, type Envelope } from 'rabbitmq-client';
import { onTestFinished, vi } from 'vitest';
import type { DeadLetter } from '../../src/operations/dead-letters/dead-letter.js';
import { OperationsModule } from '../../src/operations/operations.module.js';
import { Broker } from '../../src/platform/broker/broker.js';
import { Declarations } from '../../src/platform/broker/declarations.js';
import { queueInfo } from '../../src/platform/broker/declare.js';
import type { Config } from '../../src/platform/config.js';
import type { ScrapeJobView } from '../../src/scraping/jobs/scrape-job-view.js';
import { ScrapingModule } from '../../src/scraping/scraping.module.js';
import { startApi } from '../harness/api.js';

/** Values that all processes on one database share. */
const adminKey = 'an-admin-key-for-intake-only';

/** Searches end at once, because special addresses are refused. */
const NOWHERE = {
  googleUrl: 'http://127.0.0.1/',
  googleKey: 'key',
  googleEngine: 'engine',
  overpassUrl: 'http://127.0.0.1/',
};

export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 30_000, interval: 50 });

interface Servers {
  databaseUrl: string;
  rabbitmqUrl: string;
}

/** A process of Millrace that accepts scrape jobs. */
export async function startIntake({ databaseUrl, rabbitmqUrl }: Servers, config: Partial<Config> = {}) {
  const api = await startApi({
    databaseUrl,
    config: { rabbitmqUrl, adminKey, requestsPerMinute: 100_000, jobLockMs: 2_000, ...NOWHERE, ...config },
    modules: [ScrapingModule, OperationsModule],
  });
  let running = true;
  const stop = async () => {
    if (running) await api.stop();
    running = false;
  };
  onTestFinished(stop);
  // Not earlier, because declaring the queues at the start would undo what a test has done to them.
  if (api.config.roles.has('worker')) {
    await api.app.get(Declarations).declareAll();
    const { scrapeIntake, scrapeQueue, scrapeQueueForm } = api.config;
    const jobs = scrapeQueueForm === 'wait' ? [] : [scrapeQueue];
    const taken = scrapeIntake === 'on' ? jobs : ['scrape_results'];
    await eventually(() => isConsuming(api.app.get(Broker), [...taken, 'failed_jobs']));
  }

  const ask = async (method: 'GET' | 'POST', path: string, user?: string, payload?: object) => {
    const headers = { ...(user && { 'x-millrace-user': user }) };
    const request = { method, url: `/api/v1${path}`, headers, key: adminKey };
    const answer = await api.send({ ...request, ...(payload && { payload }) });
    return { status: answer.statusCode, body: answer.json() };
  };
  const letters = async (query = 'state=open'): Promise<DeadLetter[]> =>
    (await ask('GET', `/dead-letters?queue=failed_jobs&limit=100&${query}`)).body.items;
  return {
    lines: api.lines,
    stop,
    ask,
    letters,
    jobs: async (user: string): Promise<ScrapeJobView[]> =>
      (await ask('GET', '/jobs/scrape?limit=100', user)).body.items,
    /** Returns the open dead letter whose reason contains the text. */
    letterAbout: (text: string) =>
      eventually(async () => {
        const letter = (await letters()).find(({ reason }) => reason.includes(text));
        if (!letter) throw new Error(`no letter about ${text}: ${(await letters()).map(({ reason }) => reason)}`);
        return letter;
      }),
  };
}

async function isConsuming(broker: Broker, queues: string[]): Promise<void> {
  for (const queue of queues)
    if (!(await queueInfo(broker, queue))?.consumers) throw new Error(`nobody consumes ${queue}`);
}

/** Another service, which knows only the name of the queue. */
export function newSender(rabbitmqUrl: string) {
  const connection = new Connection({ url: rabbitmqUrl, noDelay: true, retryLow: 100 });
  connection.on('error', () => undefined);
  const publisher = connection.createPublisher({ confirm: true });
  onTestFinished(() => connection.unsafeDestroy());
  return {
    connection,
    send: (body: unknown, envelope: Partial<Envelope> = {}) =>
      publisher.send({ routingKey: 'scrape_jobs', durable: true, ...envelope }, body),
    waiting: async (queue: string) => (await connection.queueDeclare({ queue, passive: true })).messageCount,
  };
}

let jobs = 0;

/** A valid message with the given changes. */
export function newMessage(fields: Record<string, unknown> = {}) {
  jobs += 1;
  return {
    job_id: `job-${jobs}`,
    user_id: 'acme-7',
    industry: 'bakeries',
    geography: 'Lyon',
    keywords: ['organic', 'sourdough'],
    source_types: ['google', 'openstreetmap'],
    search_query: 'organic bakery Lyon',
    filters: { min_employees: 5 },
    ...fields,
  };
}
