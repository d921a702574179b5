import { createPostgresBackend, type Job, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { pino } from 'pino';
import { z } from 'zod';
import { Database } from '../src/platform/database/database.js';
import { defineJob, type JobDefinition } from '../src/platform/queue/job-catalogue.js';
import type { JobHandler } from '../src/platform/queue/job-handler.js';
import { Jobs } from '../src/platform/queue/jobs.js';
import { createQueueBackend } from '../src/platform/queue/queue-backend.js';
import { WorkerPool } from '../src/platform/queue/worker-pool.js';
import { withBenchServers } from './bench-servers.js';
import { type Measurement, median } from './report.js';

const ROUNDS = 5;
const CONCURRENCY = 10;
const TARGET = 0.8;

interface Servers {
  databaseUrl: string;
  redisUrl: string | undefined;
}

/** Jobs a second from adding the first to finishing the last, of which the job itself does nothing. */
export async function run(): Promise<Measurement[]> {
  return withBenchServers(async ({ databaseUrl, redisUrl }) => [
    ...(await compare('PostgreSQL', { databaseUrl, redisUrl: undefined }, 2_000)),
    ...(await compare('Redis', { databaseUrl, redisUrl }, 10_000)),
  ]);
}

async function compare(backend: string, servers: Servers, jobs: number): Promise<Measurement[]> {
  const bare: number[] = [];
  const ours: number[] = [];
  const ratios: number[] = [];
  await bareJobsPerSecond(servers, jobs / 4);
  await ourJobsPerSecond(servers, jobs / 4);
  for (let round = 0; round < ROUNDS; round++) {
    const bareNow = await bareJobsPerSecond(servers, jobs);
    const oursNow = await ourJobsPerSecond(servers, jobs);
    bare.push(bareNow);
    ours.push(oursNow);
    ratios.push(oursNow / bareNow);
  }
  const ratio = median(ratios);
  return [
    { what: `bare BullMQ on ${backend}`, value: `${median(bare).toFixed(0)} jobs/s` },
    { what: `Millrace on ${backend}`, value: `${median(ours).toFixed(0)} jobs/s` },
    { what: `ratio on ${backend}`, value: ratio.toFixed(2), target: `at least ${TARGET}`, met: ratio >= TARGET },
  ];
}

const OPTIONS = {
  attempts: 3,
  backoff: { type: 'exponential', delay: 1_000 },
  removeOnComplete: true,
  removeOnFail: true,
};
let queues = 0;

/** The same session settings as ours, so that only what Millrace adds is compared. */
async function bareJobsPerSecond({ databaseUrl, redisUrl }: Servers, jobs: number): Promise<number> {
  const name = `bare-${queues++}`;
  const session = '-c synchronous_commit=off';
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 5, options: `-c search_path=bullmq ${session}` });
  const redis = redisUrl ? new Redis(redisUrl, { maxRetriesPerRequest: null }) : undefined;
  const done = countdown(jobs);
  const processor = async (_job: Job) => done.one();
  const queue = redis
    ? new Queue(name, { connection: redis as never })
    : new Queue(name, { connection: pool as never }, createPostgresBackend);
  const worker = redis
    ? new Worker(name, processor, { connection: redis as never, concurrency: CONCURRENCY })
    : new Worker(
        name,
        processor,
        {
          connection: { connectionString: databaseUrl, max: 4, schema: 'bullmq', options: session },
          concurrency: CONCURRENCY,
        },
        createPostgresBackend,
      );
  await Promise.all([queue.waitUntilReady(), worker.waitUntilReady()]);
  const perSecond = await timed(jobs, done, (from, to) =>
    queue.addBulk(
      range(from, to).map((n) => ({ name, data: { text: `job ${n}` }, opts: { ...OPTIONS, jobId: `${name}-${n}` } })),
    ),
  );
  await worker.close();
  await queue.close();
  await pool.end();
  redis?.disconnect();
  return perSecond;
}

async function ourJobsPerSecond({ databaseUrl, redisUrl }: Servers, jobs: number): Promise<number> {
  const name = `ours-${queues++}`;
  const log = pino({ level: 'info' }, pino.destination('/dev/null'));
  const database = new Database(databaseUrl);
  const backend = createQueueBackend({ databaseUrl, redisUrl });
  const done = countdown(jobs);
  const job = defineJob({
    name,
    data: z.object({ text: z.string() }),
    attempts: 3,
    backoff: { type: 'exponential', delay: 1_000 },
    concurrency: CONCURRENCY,
  });
  const handler: JobHandler<object> = { run: async () => done.one() };
  const pool = new WorkerPool(job as JobDefinition, handler, { backend, database, log, lockMs: 10_000 });
  const adder = new Jobs(backend, log);
  await Promise.all([pool.ready(), backend.queue(name).waitUntilReady()]);
  const perSecond = await timed(jobs, done, (from, to) =>
    adder.enqueue(
      job,
      range(from, to).map((n) => ({ key: String(n), data: { text: `job ${n}` } })),
    ),
  );
  await pool.drain(AbortSignal.timeout(5_000));
  await backend.close();
  await database.onApplicationShutdown();
  return perSecond;
}

const ADDED_AT_ONCE = 500;

async function timed(
  jobs: number,
  done: Countdown,
  add: (from: number, to: number) => Promise<unknown>,
): Promise<number> {
  const start = performance.now();
  for (let from = 0; from < jobs; from += ADDED_AT_ONCE) await add(from, Math.min(from + ADDED_AT_ONCE, jobs));
  await done.all;
  return jobs / ((performance.now() - start) / 1_000);
}

interface Countdown {
  one(): void;
  all: Promise<void>;
}

function countdown(from: number): Countdown {
  let left = from;
  let finish: () => void = () => undefined;
  const all = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return {
    all,
    one() {
      left -= 1;
      if (left === 0) finish();
    },
  };
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
