import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { ScrapeCommand } from '../../src/contracts/scrape-command.js';
import { newDataFolder } from '../harness/data-folder.js';
import { rabbitmqUrl } from '../harness/rabbitmq.js';
import { redisUrl } from '../harness/redis.js';
import { ask } from '../program/api-client.js';
import { type MillraceProcess, startMillrace } from '../program/millrace-process.js';
import { newDatabase } from '../program/new-database.js';
import { newSender } from '../scraping/intake.js';
import { finding } from '../scraping/searching.js';
import { TestWorker } from '../workers/test-worker.js';

const JOBS = 300;
const WAIT_OPTIONS = { timeout: 120_000, interval: 500 };
const redis = redisUrl();
const rabbitmq = rabbitmqUrl();

it('shares 300 jobs that were sent in among three processes, each done once, although one is killed', {
  timeout: 300_000,
}, async () => {
  const start = await fleet();
  const api = start('api,scheduler');
  const address = await api.address();
  const workers = [start('worker'), start('worker'), start('worker')] as const;
  await Promise.all(workers.map((worker) => worker.printed(/"running"/)));
  const searched: string[] = [];
  await TestWorker.on(rabbitmq, 'scrape.alpha', async (command) => {
    const query = (command as unknown as ScrapeCommand).params.searchQuery ?? '';
    searched.push(query);
    await sleep(50);
    return finding([`Company ${query}`, 'Everywhere'])(command as never);
  });

  const { send } = newSender(rabbitmq);
  const messages = Array.from({ length: JOBS }, (_, n) => ({
    job_id: `fleet-${n}`,
    user_id: 'fleet',
    source_types: ['alpha'],
    search_query: `q${n}`,
  }));
  for (const message of messages) await send(message);
  await expect.poll(() => searched.length, WAIT_OPTIONS).toBeGreaterThan(JOBS / 3);
  await workers[2].end('SIGKILL');
  for (const message of messages.slice(0, 50)) await send(message);

  const key = await api.adminKey();
  const jobs = () => allJobs(address, key);
  await expect
    .poll(async () => (await jobs()).filter(({ status }) => status === 'completed').length, WAIT_OPTIONS)
    .toBe(JOBS);
  const done = await jobs();
  expect(done).toHaveLength(JOBS);
  expect(done.map(({ total_found }) => total_found)).toEqual(done.map(() => 2));
  expect(sum(done.map(({ duplicates }) => duplicates))).toBe(JOBS - 1);
  // What the dead one had in hand was searched a second time.
  expect(searched.length - JOBS).toBeLessThanOrEqual(5);
  expect(new Set(searched).size).toBe(JOBS);
  for (const worker of workers) expect(runsOf(worker)).toBeGreaterThan(10);
});

async function fleet() {
  const environment = {
    MILLRACE_DATA_DIR: newDataFolder(),
    DATABASE_URL: await newDatabase(),
    REDIS_URL: redis,
    RABBITMQ_URL: rabbitmq,
    MILLRACE_REMOTE_SCRAPERS: 'alpha',
    MILLRACE_JOB_LOCK_MS: '2000',
    MILLRACE_SWEEP_MS: '1000',
  };
  return (roles: string) =>
    startMillrace({ ...environment, MILLRACE_ROLES: roles, ...(roles.includes('api') && { PORT: '0' }) });
}

interface Job {
  status: string;
  total_found: number;
  duplicates: number;
}

async function allJobs(address: string, key: string): Promise<Job[]> {
  const jobs: Job[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const url: string = `${address}/api/v1/jobs/scrape?limit=100${cursor && `&cursor=${cursor}`}`;
    const answer = await ask(url, { key, user: 'fleet' });
    const { items, nextCursor } = (await answer.json()) as { items: Job[]; nextCursor: string | null };
    jobs.push(...items);
    cursor = nextCursor;
  }
  return jobs;
}

const runsOf = ({ stdout }: MillraceProcess) => stdout.match(/"queue":"scrape".*"outcome":"done"/g)?.length ?? 0;
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
