import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { JobsOptions } from 'bullmq';
import { CONFIG, type Config } from '../config.js';
import { LOG, type Log } from '../log/log.js';
import { databaseTime } from '../time/database-time.js';
import { traced, traceparent } from '../tracing/traced.js';
import { type JobDefinition, type NewEnvelope, type RowJob, settingOf } from './job-catalogue.js';
import type { WaitingRow } from './job-rows.js';
import { QUEUE_BACKEND, type QueueBackend } from './queue-backend.js';
import { storable } from './storable.js';

interface JobRequest<Data> {
  /** A request is ignored while a job with this key exists. */
  key: string;
  subject?: string;
  data: Data;
  delayMs?: number;
  priority?: number;
}

const RAISED_CONCURRENCY = 10;
/** Other callers wait for one batch at most, not for a whole list. */
const ADDED_BATCH_SIZE = 1_000;

@Injectable()
export class Jobs {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(QUEUE_BACKEND) private readonly backend: QueueBackend,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** The rows must be committed. An unreachable queue is not an error: the sweep enqueues the rows later. */
  async enqueueRows<Data extends object>(job: RowJob<Data>, rows: WaitingRow[]): Promise<void> {
    try {
      await this.add(
        job,
        rows.map((row) => ({
          id: rowJobId(job, row),
          envelope: {
            subject: row.id,
            run: row.run,
            owner: row.owner ?? undefined,
            data: { [job.rows.idField]: row.id },
          },
          priority: row.priority,
          delay: databaseTime.msUntil(row.runAt),
        })),
      );
      if (rows.length)
        this.log.debug({ event: 'jobs_enqueued', queue: job.name, rows: rows.length }, 'Jobs were enqueued');
    } catch (error) {
      this.log.warn(
        { event: 'jobs_not_enqueued', queue: job.name, rows: rows.length, err: error },
        'Jobs could not be enqueued, the sweep will retry',
      );
    }
  }

  /** For rows whose job is missing. A finished job that is kept may have its id, after a restore of one of the servers. */
  async enqueueMissing(job: RowJob, rows: WaitingRow[]): Promise<void> {
    if (rows.length) await this.removeFinished(job, rows);
    await this.enqueueRows(job, rows);
  }

  async raisePriority(job: RowJob, rows: WaitingRow[]): Promise<void> {
    for (let at = 0; at < rows.length; at += RAISED_CONCURRENCY) {
      await Promise.all(rows.slice(at, at + RAISED_CONCURRENCY).map((row) => this.raiseOne(job, row)));
    }
  }

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

  private async raiseOne(job: RowJob, row: WaitingRow): Promise<void> {
    try {
      const waiting = await this.backend.queue(job.name).getJob(rowJobId(job, row));
      await waiting?.changePriority({ priority: row.priority });
    } catch (error) {
      this.log.warn(
        { event: 'job_not_raised', queue: job.name, row: row.id, err: error },
        'The priority of a job could not be raised',
      );
    }
  }

  private async removeFinished(job: RowJob, rows: WaitingRow[]): Promise<void> {
    try {
      const queue = this.backend.queue(job.name);
      const finished = new Set(await queue.getRanges(['completed', 'failed'], 0, -1));
      for (const row of rows) if (finished.has(rowJobId(job, row))) await queue.remove(rowJobId(job, row));
    } catch (err) {
      this.log.debug(
        { event: 'finished_jobs_not_removed', queue: job.name, err },
        'Finished jobs could not be removed',
      );
    }
  }

  private async add<Data extends object>(job: JobDefinition<Data>, entries: Entry[]): Promise<void> {
    if (!entries.length) return;
    const common: JobsOptions = {
      attempts: settingOf(job.attempts, this.config),
      backoff: { type: job.backoff.type, delay: settingOf(job.backoff.delay, this.config) },
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

const rowJobId = ({ name }: { name: string }, row: WaitingRow) => jobId(name, `${row.id}-${row.run}`);

/** Returns a deterministic id without colons, which BullMQ refuses. */
export function jobId(name: string, key: string): string {
  const plain = `${name}-${key}`;
  return /^[\w.-]{1,200}$/.test(plain) ? plain : `${name}-${createHash('sha256').update(key).digest('hex')}`;
}
