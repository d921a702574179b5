import { Inject, Injectable } from '@nestjs/common';
import type { Job, JobType } from 'bullmq';
import { Database } from '../../platform/database/database.js';
import { ApiError } from '../../platform/errors/api-error.js';
import type { JobDefinition } from '../../platform/jobs/job-catalogue.js';
import { JobHandlers } from '../../platform/jobs/job-handler.js';
import type { RowRun } from '../../platform/jobs/job-rows.js';
import { type JobQueue, QUEUE_BACKEND, type QueueBackend } from '../../platform/jobs/queue-backend.js';
import { withdrawCanary } from '../canaries/queue-canaries.js';
import type { JobCounts } from '../metrics/run-counts.store.js';
import { type QueueView, QueueViews, rowRunOf, WAITING_STATES } from './queue-views.js';

const BATCH = 200;

const NOT_STARTED: JobType[] = [...WAITING_STATES, 'delayed'];

/** The queues of all jobs. BullMQ stores their settings for the whole fleet and across restarts. */
@Injectable()
export class Queues {
  constructor(
    @Inject(QUEUE_BACKEND) private readonly backend: QueueBackend,
    private readonly handlers: JobHandlers,
    private readonly database: Database,
    private readonly views: QueueViews,
  ) {}

  async list(counts?: Map<string, JobCounts>): Promise<QueueView[]> {
    const jobs = this.handlers.all().map(([job]) => job);
    return (await this.views.of(jobs, counts)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  async pause(name: string): Promise<QueueView> {
    const { job, queue } = this.existing(name);
    await queue.pause();
    await withdrawCanary(queue);
    return this.view(job);
  }

  async resume(name: string): Promise<QueueView> {
    const { job, queue } = this.existing(name);
    await queue.resume();
    return this.view(job);
  }

  async clean(name: string): Promise<{ removed: number; queue: QueueView }> {
    const { job, queue } = this.existing(name);
    return { removed: await cleanQueue(this.database, job, queue), queue: await this.view(job) };
  }

  private existing(name: string): { job: JobDefinition; queue: JobQueue } {
    const [job] = this.handlers.find(name) ?? [];
    if (job) return { job, queue: this.backend.queue(name) };
    const names = this.handlers.all().map(([{ name }]) => name);
    throw new ApiError('not_found', `There is no queue ${name}. The queues are ${names.toSorted().join(', ')}.`);
  }

  private async view(job: JobDefinition): Promise<QueueView> {
    const [view] = await this.views.of([job]);
    if (!view) throw new Error(`no view of the queue ${job.name}`);
    return view;
  }
}

/** A job that its row waits for stays, because the sweep would enqueue it again. A job without a row would be lost. */
async function cleanQueue(database: Database, job: JobDefinition, queue: JobQueue): Promise<number> {
  let removed = 0;
  for (const ended of ['completed', 'failed'] as const) removed += (await queue.clean(0, 0, ended)).length;
  for (const leftover of await leftovers(database, job, queue)) if (await removeUnlessTaken(leftover)) removed++;
  return removed;
}

/** A run number is never reused, so a leftover cannot be needed later. */
async function leftovers({ db }: Database, { rows }: JobDefinition, queue: JobQueue): Promise<Iterable<Job>> {
  const found = new Map<string, Job>();
  if (!rows) return [];
  const counts = await queue.getJobCounts(...NOT_STARTED);
  for (const state of NOT_STARTED) {
    for (let start = 0; start < (counts[state] ?? 0); start += BATCH) {
      const jobs = await queue.getJobs([state], start, start + BATCH - 1, true);
      const runs = jobs.map(rowRunOf).filter((run) => run !== undefined);
      const waiting = new Set((await rows.waiting(db, runs)).map(keyOf));
      for (const job of jobs) {
        const run = rowRunOf(job);
        if (run && !waiting.has(keyOf(run))) found.set(String(job.id), job);
      }
    }
  }
  return found.values();
}

const keyOf = ({ id, run }: RowRun) => `${id}-${run}`;

/** BullMQ refuses to remove a job that a worker holds, and such a job ends by itself. */
async function removeUnlessTaken(job: Job): Promise<boolean> {
  try {
    await job.remove();
    return true;
  } catch (error) {
    const state = await job.getState();
    if (state === 'active' || state === 'unknown') return false;
    throw error;
  }
}
