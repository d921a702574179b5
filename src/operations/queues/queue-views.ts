import { Inject, Injectable } from '@nestjs/common';
import type { Job, JobType } from 'bullmq';
import { z } from 'zod';
import { Id } from '../../platform/database/columns.js';
import { Database } from '../../platform/database/database.js';
import { CANARY } from '../../platform/jobs/canary.js';
import { DueRowCounts, type DueRows } from '../../platform/jobs/due-rows.js';
import { type JobDefinition, JobEnvelope } from '../../platform/jobs/job-catalogue.js';
import type { RowRun } from '../../platform/jobs/job-rows.js';
import { type JobQueue, QUEUE_BACKEND, type QueueBackend } from '../../platform/jobs/queue-backend.js';
import { Clock } from '../../platform/time/clock.js';
import { type JobCounts, RunCountsStore } from '../metrics/run-counts.store.js';

export const QueueView = z.strictObject({
  name: z.string(),
  paused: z.boolean(),
  /** Jobs in the queue that run as soon as a worker is free. */
  waiting: z.int(),
  /** Rows that could run now but are not in the queue. Rows that wait for a limit or a time do not count. */
  waitingRows: z.int(),
  active: z.int(),
  delayed: z.int(),
  /** Age of the job that has waited longest. Null if none waits. */
  oldestWaitingSeconds: z.int().nullable(),
  donePerMinute: z.number(),
  failedPerMinute: z.number(),
  /** Runs that failed and will be retried. */
  retriedPerMinute: z.number(),
  /** Mean duration of runs that ended in the last five minutes. Null if none did. */
  meanMs: z.int().nullable(),
});
export type QueueView = z.infer<typeof QueueView>;

export const backlogOf = ({ waiting, waitingRows }: Pick<QueueView, 'waiting' | 'waitingRows'>) =>
  waiting + waitingRows;

/** In a paused queue, PostgreSQL's backend counts waiting jobs under a name that BullMQ's types do not include. */
const PAUSED = 'paused' as JobType;

/** BullMQ's states of jobs that only wait for a worker. */
export const WAITING_STATES: JobType[] = ['waiting', PAUSED, 'prioritized'];

/** States of jobs without a priority, which run first. */
const FIRST_STATES: JobType[] = ['waiting', PAUSED];

/** The priorities of tiers and platforms. Jobs with fair priorities come after them. */
const PRIORITIES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/** Jobs to look at in each place. A single one may be taken meanwhile and would seem not to have waited. */
const SAMPLE_SIZE = 3;

@Injectable()
export class QueueViews {
  constructor(
    @Inject(QUEUE_BACKEND) private readonly backend: QueueBackend,
    private readonly database: Database,
    private readonly runs: RunCountsStore,
    private readonly dueRows: DueRowCounts,
    private readonly clock: Clock,
  ) {}

  /** `counts` saves a query if the caller has read them. */
  async of(jobs: JobDefinition[], counts?: Map<string, JobCounts>): Promise<QueueView[]> {
    const now = this.clock.now();
    const [counted, due] = await Promise.all([counts ?? this.runs.counts(now), this.dueRows.read(now)]);
    return Promise.all(jobs.map((job) => this.view(job, counted.get(job.name), due.get(job.name))));
  }

  private async view(job: JobDefinition, counted?: JobCounts, due?: DueRows): Promise<QueueView> {
    const { name } = job;
    const queue = this.backend.queue(name);
    const [counts, paused] = await Promise.all([
      queue.getJobCounts(...WAITING_STATES, 'active', 'delayed'),
      queue.isPaused(),
    ]);
    const { active = 0, delayed = 0 } = counts;
    const waiting = WAITING_STATES.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
    const inQueueSince = waiting ? await oldestWaiting(this.database, job, queue) : undefined;
    return {
      name,
      paused,
      waiting,
      waitingRows: due?.count ?? 0,
      active,
      delayed,
      oldestWaitingSeconds: this.longest([inQueueSince, due?.since]),
      donePerMinute: rounded(counted?.donePerMinute ?? 0),
      failedPerMinute: rounded(counted?.failedPerMinute ?? 0),
      retriedPerMinute: rounded(counted?.retriedPerMinute ?? 0),
      meanMs: counted?.ended ? Math.round(counted.endedMs / counted.ended) : null,
    };
  }

  private longest(times: (Date | null | undefined)[]): number | null {
    const known = times.flatMap((time) => time?.getTime() ?? []);
    return known.length ? Math.max(0, Math.floor((this.clock.now().getTime() - Math.min(...known)) / 1_000)) : null;
  }
}

export const rounded = (rate: number) => Math.round(rate * 100) / 100;

/** Looks at the first jobs of each priority, and at the first and last ones with fair priorities. */
async function oldestWaiting(database: Database, job: JobDefinition, queue: JobQueue): Promise<Date | undefined> {
  const first = await queue.getJobs(FIRST_STATES, 0, SAMPLE_SIZE - 1, true);
  const counts = await queue.getCountsPerPriority(PRIORITIES);
  const { prioritized = 0 } = await queue.getJobCounts('prioritized');
  const places: number[] = [];
  let place = 0;
  for (const priority of PRIORITIES) {
    if (counts[priority]) places.push(place);
    place += counts[priority] ?? 0;
  }
  if (place < prioritized) places.push(place, Math.max(place, prioritized - SAMPLE_SIZE));
  for (const from of places) first.push(...(await queue.getJobs(['prioritized'], from, from + SAMPLE_SIZE - 1, true)));
  const work = first.filter(({ name }) => name !== CANARY);
  const times = await Promise.all(work.map((found) => waitingSince(database, job, found)));
  return times.toSorted((a, b) => a.getTime() - b.getTime())[0];
}

/** A postponed job keeps its timestamp, so the time at which its row was due again counts. */
async function waitingSince({ db }: Database, { rows }: JobDefinition, job: Job): Promise<Date> {
  const added = job.timestamp + (job.opts.delay ?? 0);
  const row = job.processedOn ? rowRunOf(job) : undefined;
  const runAt = row && (await rows?.runAt(db, row.id));
  return new Date(Math.max(added, job.processedOn ?? 0, runAt?.getTime() ?? 0));
}

/** Returns the run of a row that a job is for, or undefined if it names none. */
export function rowRunOf(job: Job | undefined): RowRun | undefined {
  const { subject, run } = JobEnvelope.safeParse(job?.data).data ?? {};
  return run !== undefined && Id.safeParse(subject).success ? { id: subject as string, run } : undefined;
}
