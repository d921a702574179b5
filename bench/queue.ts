import { createPostgresBackend, type Job, Queue, Worker } from 'bullmq';
import { sql } from 'drizzle-orm';
import { pgTable } from 'drizzle-orm/pg-core';
import { Redis } from 'ioredis';
import pg from 'pg';
import { idColumn } from '../src/platform/database/columns.js';
import type { Database } from '../src/platform/database/database.js';
import type { RowJob } from '../src/platform/jobs/job-catalogue.js';
import { jobColumns } from '../src/platform/jobs/job-columns.js';
import { JobRows, type WaitingRow } from '../src/platform/jobs/job-rows.js';
import { JOB_COLUMNS } from '../test/queue/job-columns-sql.js';
import { CONCURRENCY, RETRIES, type Servers, withOurQueue } from './harness/our-queue.js';
import { progress } from './harness/progress.js';
import { withBenchServers } from './harness/servers.js';
import { type Measurement, median } from './report.js';

const ROUNDS = 5;
const TARGET = 0.8;

/** Measures jobs per second from adding the first to finishing the last. The jobs do nothing. */
export async function run(): Promise<Measurement[]> {
  return withBenchServers(async ({ databaseUrl, redisUrl }) => [
    ...(await compare('PostgreSQL', { databaseUrl, redisUrl: undefined }, 2_000)),
    ...(await compare('Redis', { databaseUrl, redisUrl }, 10_000)),
  ]);
}

async function compare(backend: string, servers: Servers, jobs: number): Promise<Measurement[]> {
  const rounds: { bare: number; ours: number; withRows: number }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    progress(`${backend}, ${round ? `round ${round} of ${ROUNDS}` : 'warm-up round'}`);
    const bare = await bareJobsPerSecond(servers, jobs);
    const ours = await ourJobsPerSecond(servers, jobs, { rows: false });
    const withRows = await ourJobsPerSecond(servers, jobs, { rows: true });
    // The first round is a warm-up.
    if (round > 0) rounds.push({ bare, ours, withRows });
  }
  const ratio = median(rounds.map(({ bare, ours }) => ours / bare));
  const rowRatio = median(rounds.map(({ bare, withRows }) => withRows / bare));
  const perSecond = (of: (round: (typeof rounds)[0]) => number) => `${median(rounds.map(of)).toFixed(0)} jobs/s`;
  return [
    { what: `bare BullMQ on ${backend}`, value: perSecond(({ bare }) => bare) },
    { what: `Millrace on ${backend}`, value: perSecond(({ ours }) => ours) },
    { what: '  ratio', value: ratio.toFixed(2), target: `at least ${TARGET}`, met: ratio >= TARGET },
    { what: `Millrace on ${backend}, each job a row`, value: perSecond(({ withRows }) => withRows) },
    { what: '  ratio', value: rowRatio.toFixed(2) },
  ];
}

const OPTIONS = { ...RETRIES, removeOnComplete: true, removeOnFail: true };
let queues = 0;

/** The session settings are the same as ours, so that only the overhead of Millrace is compared. */
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
      range(from, to).map((n) => ({ name, data: { id: String(n) }, opts: { ...OPTIONS, jobId: `${name}-${n}` } })),
    ),
  );
  await worker.close();
  await queue.close();
  await pool.end();
  redis?.disconnect();
  return perSecond;
}

async function ourJobsPerSecond(servers: Servers, jobs: number, { rows }: { rows: boolean }): Promise<number> {
  const done = countdown(jobs);
  const wanted = { name: `ours-${queues++}`, run: done.one, ...(rows && { rows: newRows }) };
  return withOurQueue(servers, wanted, (queue) =>
    timed(jobs, done, async (from, to) => {
      if (rows) await queue.jobs.enqueueRows(queue.job as RowJob, await storeRows(queue.database, to - from));
      else
        await queue.jobs.enqueue(
          queue.job,
          range(from, to).map((n) => ({ key: String(n), data: { id: String(n) } })),
        );
    }),
  );
}

const benchRows = pgTable('bench_rows', { id: idColumn(), ...jobColumns() });

async function newRows({ db }: Database): Promise<JobRows> {
  await db.execute(sql`DROP TABLE IF EXISTS bench_rows`);
  await db.execute(sql.raw(`CREATE TABLE bench_rows (id bigserial PRIMARY KEY, ${JOB_COLUMNS})`));
  return new JobRows(benchRows, 'id');
}

async function storeRows({ db }: Database, count: number): Promise<WaitingRow[]> {
  const { rows } = await db.execute<{ id: string }>(
    sql`INSERT INTO bench_rows (job_state) SELECT 'waiting' FROM generate_series(1, ${count}) RETURNING id`,
  );
  return rows.map(({ id }) => ({ id, run: 1, priority: 0, runAt: new Date(), owner: null }));
}

const ADDED_BATCH_SIZE = 500;

async function timed(
  jobs: number,
  done: Countdown,
  add: (from: number, to: number) => Promise<unknown>,
): Promise<number> {
  const start = performance.now();
  for (let from = 0; from < jobs; from += ADDED_BATCH_SIZE) await add(from, Math.min(from + ADDED_BATCH_SIZE, jobs));
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
