import { Inject, Injectable } from '@nestjs/common';
import type { Job, JobType } from 'bullmq';
import { Id } from '../../platform/database/columns.js';
import { Database } from '../../platform/database/database.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { CANARY } from '../../platform/jobs/canary.js';
import { DueRowCounts, type DueRows } from '../../platform/jobs/due-rows.js';
import { type JobDefinition, JobEnvelope } from '../../platform/jobs/job-catalogue.js';
import { JobHandlers } from '../../platform/jobs/job-handler.js';
import type { RowRun } from '../../platform/jobs/job-rows.js';
import { type JobQueue, QUEUE_BACKEND, type QueueBackend } from '../../platform/jobs/queue-backend.js';
import { Clock } from '../../platform/time/clock.js';
import { withdrawCanary } from '../canaries/send-canary.js';
import { type JobCounts, JobMinutesStore } from '../metrics/job-minutes.store.js';
import type { QueueView } from './queue-view.js';

/** In a paused queue, PostgreSQL's backend counts waiting jobs under a name that BullMQ's types do not include. */
const PAUSED = 'paused' as JobType;

/** BullMQ's states of jobs that only wait for a worker. */
const WAITING_STATES: JobType[] = ['waiting', PAUSED, 'prioritized'];

/** States of jobs without a priority, which run first. */
const FIRST_STATES: JobType[] = ['waiting', PAUSED];

const BATCH = 200;

const NOT_STARTED: JobType[] = [...WAITING_STATES, 'delayed'];

/**
 * The priorities of tiers and platforms; 0 is a separate list. Jobs whose owners share the workers fairly have higher
 * priorities.
 */
const PRIORITIES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/**
 * Number of jobs to look at in each place. A single one may be taken meanwhile and would seem not to have waited at
 * all.
 */
const SAMPLE_SIZE = 3;

/** The queues of all jobs. BullMQ stores these settings for the whole fleet and across restarts. */
@Injectable()
export class Queues {
  constructor(
    @Inject(QUEUE_BACKEND) private readonly backend: QueueBackend,
    private readonly handlers: JobHandlers,
    private readonly database: Database,
    private readonly minutes: JobMinutesStore,
    private readonly clock: Clock,
    private readonly dueRows: DueRowCounts,
  ) {}

  /** Lists queues by name. */
  async list(counts?: Map<string, JobCounts>): Promise<QueueView[]> {
    const now = this.clock.now();
    const [counted, due] = await Promise.all([counts ?? this.minutes.counts(now), this.dueRows.read(now)]);
    const views = this.handlers.all().map(([job]) => this.view(job, counted.get(job.name), due.get(job.name)));
    return (await Promise.all(views)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  async pause(name: string): Promise<QueueView> {
    const { job, queue } = this.existing(name);
    await queue.pause();
    await withdrawCanary(queue);
    return this.viewNow(job);
  }

  async resume(name: string): Promise<QueueView> {
    const { job, queue } = this.existing(name);
    await queue.resume();
    return this.viewNow(job);
  }

  /** Returns the number of removed jobs. */
  async clean(name: string): Promise<{ removed: number; queue: QueueView }> {
    const { job, queue } = this.existing(name);
    return { removed: await cleanQueue(this.database, job, queue), queue: await this.viewNow(job) };
  }

  private existing(name: string): { job: JobDefinition; queue: JobQueue } {
    const [job] = this.handlers.find(name) ?? [];
    if (job) return { job, queue: this.backend.queue(name) };
    const names = this.handlers.all().map(([{ name }]) => name);
    throw new ApiError('not_found', `There is no queue ${name}. These are there: ${names.toSorted().join(', ')}.`);
  }

  private async viewNow(job: JobDefinition): Promise<QueueView> {
    const now = this.clock.now();
    const [counted, due] = await Promise.all([this.minutes.counts(now), this.dueRows.read(now)]);
    return this.view(job, counted.get(job.name), due.get(job.name));
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

  /** Returns the seconds since the earliest time, or null if there is none. */
  private longest(times: (Date | null | undefined)[]): number | null {
    const known = times.flatMap((time) => time?.getTime() ?? []);
    return known.length ? Math.max(0, Math.floor((this.clock.now().getTime() - Math.min(...known)) / 1_000)) : null;
  }
}

export const rounded = (rate: number) => Math.round(rate * 100) / 100;

/**
 * Returns since when the oldest waiting job has waited. Urgent jobs overtake the others, so the first jobs of each
 * priority are looked at. Beyond those priorities jobs have fair priorities, and the oldest one is among the first or
 * the last.
 */
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

/**
 * Removes jobs that have ended and jobs whose row does not wait for them any more, which would do nothing. A job that
 * its row waits for stays, because the sweep would enqueue it again. So does a job without a row, which would be lost.
 * Returns the number of removed jobs.
 */
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

/** Returns the run of a row that a job is for, or undefined if it names none. */
function rowRunOf(job: Job | undefined): RowRun | undefined {
  const { subject, run } = JobEnvelope.safeParse(job?.data).data ?? {};
  return run !== undefined && Id.safeParse(subject).success ? { id: subject as string, run } : undefined;
}
