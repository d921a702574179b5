import {
  type ConnectionOptions,
  createPostgresBackend,
  type PgPool,
  type Processor,
  Queue,
  type QueueOptions,
  Worker,
  type WorkerOptions,
} from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import type pg from 'pg';
import { createPool } from '../database/pool.js';
import { withTimeout } from '../time/with-timeout.js';
import type { NewEnvelope } from './job-catalogue.js';

export const QUEUE_BACKEND = Symbol('queue backend');

/** Only jobs that stay in their queue have a result. */
type JobResult = object | undefined;

export type JobQueue = Queue<NewEnvelope, JobResult, string>;
export type QueueWorker = Worker<NewEnvelope, JobResult, string>;

type Options = Omit<WorkerOptions, 'connection'>;

export interface QueueBackend {
  readonly kind: 'postgres' | 'redis';
  queue(name: string): JobQueue;
  worker(name: string, processor: Processor<NewEnvelope, JobResult, string>, options: Options): QueueWorker;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export function createQueueBackend({
  databaseUrl,
  redisUrl,
  names,
}: {
  databaseUrl: string;
  redisUrl?: string | undefined;
  /** The names in BullMQ of queues that have another one there. */
  names?: ReadonlyMap<string, string> | undefined;
}): QueueBackend {
  const backend = redisUrl ? redisBackend(redisUrl) : postgresBackend(databaseUrl);
  if (!names?.size) return backend;
  const nameOf = (name: string) => names.get(name) ?? name;
  return {
    ...backend,
    queue: (name) => backend.queue(nameOf(name)),
    worker: (name, processor, options) => backend.worker(nameOf(name), processor, options),
  };
}

/** Nobody reads BullMQ's event stream, so it is kept short. */
const QUEUE_OPTIONS = { streams: { events: { maxLen: 100 } } };

/** Rows are the truth, so queue writes need not wait for the disk. */
const SESSION = '-c search_path=bullmq -c synchronous_commit=off';
const QUEUE_POOL_SIZE = 5;
/** Connections for the jobs of all workers together. Each worker adds one for its LISTEN, which it keeps. */
const WORKERS_POOL_SIZE = 4;
/** A job that outlasts this keeps its connection until the process ends. */
const LET_GO_MS = 1_000;

function postgresBackend(connectionString: string): QueueBackend {
  const pools: pg.Pool[] = [];
  const newPool = (max: number) => {
    const pool = createPool({ connectionString, max, session: SESSION, application_name: 'millrace-queue' });
    pool.setMaxListeners(0);
    prepareMoves(pool);
    pools.push(pool);
    return pool;
  };
  const queuePool = newPool(QUEUE_POOL_SIZE);
  const workersPool = newPool(WORKERS_POOL_SIZE);
  return backendOf({
    kind: 'postgres',
    newQueue: (name) =>
      new Queue(
        name,
        { connection: queuePool as unknown as PgPool, ...QUEUE_OPTIONS },
        createPostgresBackend,
      ) as unknown as JobQueue,
    newWorker: (name, processor, options) => {
      workersPool.options.max += 1;
      const connection = workersPool as unknown as PgPool;
      return new Worker(name, processor, { ...options, connection }, createPostgresBackend) as unknown as QueueWorker;
    },
    ping: async () => void (await queuePool.query('SELECT 1')),
    disconnect: async () => {
      const ended = Promise.all(pools.map((pool) => pool.end()));
      await withTimeout(ended, LET_GO_MS, () => []);
    },
  });
}

/** Matches the statements with which BullMQ moves a job, several for each run. */
const MOVE = /\b(move_to_\w+)\(/;

/** BullMQ sends its statements without a name. Those with one are parsed and planned once per connection. */
function prepareMoves(pool: pg.Pool): void {
  const query = pool.query.bind(pool) as (statement: unknown, values?: unknown) => unknown;
  const prepared = (text: unknown, values?: unknown) => {
    const name = typeof text === 'string' ? MOVE.exec(text)?.[1] : undefined;
    return name === undefined ? query(text, values) : query({ name, text, values });
  };
  pool.query = prepared as typeof pool.query;
}

const PREFIX = 'millrace';

function redisBackend(url: string): QueueBackend {
  // Adding a job fails at once while Redis is unreachable, so the caller does not wait. The sweep adds it later.
  const producer = connect(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 5_000 });
  const consumer = connect(url, { maxRetriesPerRequest: null });
  const connection = (redis: Redis) => redis as unknown as ConnectionOptions;
  return backendOf({
    kind: 'redis',
    newQueue: (name) =>
      new Queue(name, { connection: connection(producer), prefix: PREFIX, ...QUEUE_OPTIONS } as QueueOptions),
    newWorker: (name, processor, options) =>
      new Worker(name, processor, { ...options, connection: connection(consumer), prefix: PREFIX }),
    ping: async () => void (await producer.ping()),
    disconnect: async () => {
      producer.disconnect();
      consumer.disconnect();
    },
  });
}

function connect(url: string, options: Omit<RedisOptions, 'replyMapping'>): Redis {
  const redis = new Redis(url, { ...options, retryStrategy: (times) => Math.min(times * 100, 2_000) });
  redis.on('error', () => undefined);
  return redis;
}

interface Driver {
  kind: QueueBackend['kind'];
  newQueue(name: string): JobQueue;
  newWorker(name: string, processor: Processor<NewEnvelope, JobResult, string>, options: Options): QueueWorker;
  ping(): Promise<void>;
  disconnect(): Promise<void>;
}

function backendOf(driver: Driver): QueueBackend {
  const queues = new Map<string, JobQueue>();
  return {
    kind: driver.kind,
    queue(name) {
      const queue = queues.get(name) ?? driver.newQueue(name);
      if (!queues.has(name)) queue.on('error', () => undefined);
      queues.set(name, queue);
      return queue;
    },
    worker: driver.newWorker,
    ping: driver.ping,
    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
      await driver.disconnect();
    },
  };
}
