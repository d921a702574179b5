import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { DueRowCounts, type DueRows } from '../../platform/queue/due-rows.js';
import type { JobDefinition } from '../../platform/queue/job-catalogue.js';
import { JobHandlers } from '../../platform/queue/job-handlers.js';
import { QUEUE_BACKEND } from '../../platform/queue/queue.token.js';
import type { JobQueue, QueueBackend } from '../../platform/queue/queue-backend.js';
import { Clock } from '../../platform/time/clock.js';
import { withdrawCanary } from '../canaries/send-canary.js';
import { type JobCounts, JobMinutesStore } from '../metrics/job-minutes.store.js';
import { cleanQueue } from './clean-queue.js';
import { oldestWaiting } from './oldest-waiting.js';
import type { QueueView } from './queue-view.js';
import { WAITING_STATES } from './waiting-states.js';

/** The queues of all jobs. BullMQ keeps what is said here for the whole fleet, over restarts. */
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

  /** By name. */
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

  /** Returns how many jobs were removed. */
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

  /** Seconds since the earliest of these; null if there is none. */
  private longest(times: (Date | null | undefined)[]): number | null {
    const known = times.flatMap((time) => time?.getTime() ?? []);
    return known.length ? Math.max(0, Math.floor((this.clock.now().getTime() - Math.min(...known)) / 1_000)) : null;
  }
}

export const rounded = (rate: number) => Math.round(rate * 100) / 100;
