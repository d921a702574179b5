import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { JobsOptions } from 'bullmq';
import type { Log } from '../log/log.js';
import { LOG } from '../log/log.js';
import { databaseTime } from '../time/database-time.js';
import { traced, traceparent } from '../tracing/traced.js';
import type { JobDefinition, NewEnvelope, RowJob } from './job-catalogue.js';
import type { WaitingRow } from './job-rows.js';
import type { QueueBackend } from './queue-backend.js';
import { QUEUE_BACKEND } from './queue-backend.js';
import { storable } from './storable.js';

interface JobRequest<Data> {
  /** While a job with this key exists, the same again is ignored. */
  key: string;
  /** What the job is about, if that is not its key. */
  subject?: string;
  data: Data;
  delayMs?: number;
  /** 0 comes first, then 1, 2, … */
  priority?: number;
}

const RAISED_CONCURRENCY = 10;
/** Jobs in one call to the queue. A longer list is added piece by piece, so that others who add jobs wait for one piece only. */
const ADDED_BATCH_SIZE = 1_000;

/** Puts jobs on their queues. */
@Injectable()
export class Jobs {
  constructor(
    @Inject(QUEUE_BACKEND) private readonly backend: QueueBackend,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** For rows that are committed as waiting. A queue that is away is no error: the sweep enqueues them later. */
  async enqueueRows<Data extends object>(job: RowJob<Data>, rows: WaitingRow[]): Promise<void> {
    try {
      await this.add(
        job,
        rows.map((row) => ({
          id: rowJobId(job, row),
          envelope: {
            subject: row.id,
            run: row.jobRun,
            owner: row.jobOwner ?? undefined,
            data: { [job.rows.idField]: row.id },
          },
          priority: row.jobPriority,
          delay: databaseTime.msUntil(row.jobRunAt),
        })),
      );
    } catch (error) {
      this.log.warn({ queue: job.name, rows: rows.length, err: error }, 'jobs not enqueued, left to the sweep');
    }
  }

  /** For waiting rows that were raised: their jobs, if they are still in line, go to their new place. */
  async hurry(job: RowJob, rows: WaitingRow[]): Promise<void> {
    for (let at = 0; at < rows.length; at += RAISED_CONCURRENCY) {
      await Promise.all(rows.slice(at, at + RAISED_CONCURRENCY).map((row) => this.hurryOne(job, row)));
    }
  }

  /** For jobs without rows, which are lost with the queue. */
  async enqueue<Data extends object>(job: JobDefinition<Data>, requests: JobRequest<Data>[]): Promise<void> {
    await this.add(
      job,
      requests.map(({ key, subject, data, delayMs, priority }) => ({
        id: jobId(job.name, key),
        envelope: storable({ subject: subject ?? key, data }),
        priority: priority ?? 0,
        delay: delayMs ?? 0,
      })),
    );
  }

  private async hurryOne(job: RowJob, row: WaitingRow): Promise<void> {
    try {
      const waiting = await this.backend.queue(job.name).getJob(rowJobId(job, row));
      await waiting?.changePriority({ priority: row.jobPriority });
    } catch (error) {
      this.log.warn({ queue: job.name, row: row.id, err: error }, 'a job could not be made more urgent');
    }
  }

  private async add<Data extends object>(job: JobDefinition<Data>, entries: Entry[]): Promise<void> {
    if (!entries.length) return;
    const common: JobsOptions = {
      attempts: job.attempts,
      backoff: job.backoff,
      removeOnComplete: true,
      removeOnFail: true,
    };
    const attributes = { 'job.count': entries.length };
    await traced({ name: `enqueue ${job.name}`, kind: 'PRODUCER', attributes }, async () => {
      const trace = traceparent();
      const added = entries.map(({ id, envelope, priority, delay }) => ({
        name: job.name,
        data: { ...envelope, ...(trace && { trace }) },
        opts: { ...common, jobId: id, ...(priority && { priority }), ...(delay && { delay }) },
      }));
      for (let at = 0; at < added.length; at += ADDED_BATCH_SIZE)
        await this.backend.queue(job.name).addBulk(added.slice(at, at + ADDED_BATCH_SIZE));
    });
  }
}

interface Entry {
  id: string;
  envelope: NewEnvelope;
  priority: number;
  delay: number;
}

const rowJobId = ({ name }: { name: string }, row: WaitingRow) => jobId(name, `${row.id}-${row.jobRun}`);

/** Deterministic, and without the colon that BullMQ refuses. */
export function jobId(name: string, key: string): string {
  const plain = `${name}-${key}`;
  return /^[\w.-]{1,200}$/.test(plain) ? plain : `${name}-${createHash('sha256').update(key).digest('hex')}`;
}
