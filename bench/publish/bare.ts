import { createPostgresBackend, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { request } from 'undici';
import { RETRIES, type Servers } from '../harness/our-queue.js';
import type { Posts } from './posts.js';

const OPTIONS = { ...RETRIES, removeOnComplete: true, removeOnFail: true };
const ADDED_BATCH_SIZE = 500;
const SESSION = '-c synchronous_commit=off';
let queues = 0;

/** Measures posts per second of jobs that only make the same call, from adding the first to receiving the last. */
export async function barePostsPerSecond(servers: Servers, { receiver, count, delayMs, concurrency }: Posts) {
  const name = `bare-publish-${queues++}`;
  const { queue, worker, close } = open(name, servers, { concurrency, url: receiver.url });
  await Promise.all([queue.waitUntilReady(), worker.waitUntilReady()]);
  const startedAt = Date.now();
  const { times } = await receiver.take({ delayMs, count }, async () => {
    for (let from = 0; from < count; from += ADDED_BATCH_SIZE) {
      const numbers = Array.from({ length: Math.min(ADDED_BATCH_SIZE, count - from) }, (_, at) => from + at);
      await queue.addBulk(numbers.map((n) => ({ name, data: { n }, opts: { ...OPTIONS, jobId: `${name}-${n}` } })));
    }
  });
  await close();
  return count / ((Math.max(...times) - startedAt) / 1_000);
}

function open(
  name: string,
  { databaseUrl, redisUrl }: Servers,
  { concurrency, url }: { concurrency: number; url: string },
) {
  const publish = async ({ data: { n } }: { data: { n: number } }) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': `${name}-${n}` };
    const answer = await request(url, { method: 'POST', headers, body: JSON.stringify({ text: `Post ${n}` }) });
    await answer.body.dump();
  };
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 5, options: `-c search_path=bullmq ${SESSION}` });
  const redis = redisUrl ? new Redis(redisUrl, { maxRetriesPerRequest: null }) : undefined;
  const connection = { connectionString: databaseUrl, max: 4, schema: 'bullmq', options: SESSION };
  const queue = redis
    ? new Queue(name, { connection: redis as never })
    : new Queue(name, { connection: pool as never }, createPostgresBackend);
  const worker = redis
    ? new Worker(name, publish, { connection: redis as never, concurrency })
    : new Worker(name, publish, { connection, concurrency }, createPostgresBackend);
  const close = async () => {
    await worker.close();
    await queue.close();
    await pool.end();
    redis?.disconnect();
  };
  return { queue, worker, close };
}
