import { pino } from 'pino';
import { z } from 'zod';
import { parseConfig } from '../../src/platform/config.js';
import { Database } from '../../src/platform/database/database.js';
import { CanaryListener } from '../../src/platform/jobs/canary.js';
import { defineJob, type JobDefinition } from '../../src/platform/jobs/job-catalogue.js';
import type { JobRows } from '../../src/platform/jobs/job-rows.js';
import { JobStatistics } from '../../src/platform/jobs/job-statistics.js';
import { JobWorkers } from '../../src/platform/jobs/job-worker.js';
import { Jobs } from '../../src/platform/jobs/jobs.js';
import { Quarantine } from '../../src/platform/jobs/quarantine.js';
import { createQueueBackend } from '../../src/platform/jobs/queue-backend.js';
import { RunHistory } from '../../src/platform/jobs/runs/run-history.js';
import { RunMetrics } from '../../src/platform/jobs/runs/run-metrics.js';
import { RunRecords } from '../../src/platform/jobs/runs/run-records.js';
import { WorkerPool } from '../../src/platform/jobs/worker-pool.js';
import { LOG_OPTIONS } from '../../src/platform/log/log.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';

export const CONCURRENCY = 10;
export const RETRIES = { attempts: 3, backoff: { type: 'exponential', delay: 1_000 } } as const;

export interface Servers {
  databaseUrl: string;
  redisUrl: string | undefined;
}

export interface OurQueue {
  database: Database;
  job: JobDefinition;
  jobs: Jobs;
}

interface Wanted {
  name: string;
  /** The work of each job. */
  run: () => void;
  rows?: (database: Database) => Promise<JobRows>;
}

/** Runs work with a job and its workers, as Millrace runs them. */
export async function withOurQueue<T>(
  servers: Servers,
  wanted: Wanted,
  work: (queue: OurQueue) => Promise<T>,
): Promise<T> {
  const log = pino({ ...LOG_OPTIONS, level: 'info' }, pino.destination({ dest: '/dev/null', sync: true }));
  const database = new Database(servers.databaseUrl);
  const backend = createQueueBackend(servers);
  const rows = await wanted.rows?.(database);
  const data = z.object({ id: z.string() });
  const job = defineJob({
    name: wanted.name,
    data,
    ...RETRIES,
    concurrency: CONCURRENCY,
    ...(rows && { rows }),
  }) as JobDefinition;
  const records = new RunRecords(
    new JobStatistics(database, log),
    new RunMetrics(new Metrics(log)),
    new RunHistory(database, log),
  );
  records.onApplicationBootstrap();
  const workers = new JobWorkers(database, log, records, new CanaryListener(), new Quarantine(database, log));
  const worker = workers.create(job, { run: async () => wanted.run() }, { keepCompleted: 100, keepFailed: 1_000 });
  const pool = new WorkerPool(worker, { backend, lockMs: 10_000, concurrency: CONCURRENCY });
  await Promise.all([pool.ready(), backend.queue(job.name).waitUntilReady()]);
  const result = await work({ database, job, jobs: new Jobs(parseConfig({}), backend, log) });
  await pool.drain(AbortSignal.timeout(5_000));
  records.onModuleDestroy();
  await records.beforeApplicationShutdown();
  await backend.close();
  await database.onApplicationShutdown();
  return result;
}
