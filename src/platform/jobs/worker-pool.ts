import { type Job, WaitingError } from 'bullmq';
import { isConnectionError } from '../log/server-connection.js';
import { databaseTime } from '../time/database-time.js';
import { orAborted } from '../time/with-timeout.js';
import { FairSlots } from './fair-slots.js';
import { type JobDefinition, JobEnvelope } from './job-catalogue.js';
import { Cancellation, giveBack, type JobWorker } from './job-worker.js';
import type { QueueBackend, QueueWorker } from './queue-backend.js';
import { storableText } from './storable.js';

const MAX_NAME_LENGTH = 200;

const ABORT_GRACE_MS = 1_000;
/** After this wait for a slot, a job goes behind jobs of equal priority, and the next one is tried. */
const SLOT_TIMEOUT_MS = 500;

interface PoolOptions {
  backend: QueueBackend;
  /** How long a job stays with a worker that does not renew its lock, in milliseconds. */
  lockMs: number;
  concurrency: number;
}

interface Running {
  job: Job;
  token: string | undefined;
  startedAt: Date;
  cancellation: Cancellation;
}

export class WorkerPool {
  readonly definition: JobDefinition;
  private readonly worker: QueueWorker;
  private pauses = 0;
  private readonly slots: FairSlots | undefined;
  private readonly running = new Map<string, Running>();

  constructor(
    private readonly jobWorker: JobWorker,
    { backend, lockMs, concurrency }: PoolOptions,
  ) {
    const { definition, log } = jobWorker;
    this.definition = definition;
    this.slots = definition.isFair ? new FairSlots(concurrency) : undefined;
    this.worker = backend.worker(definition.name, this.slots ? this.trackInSlot(this.slots) : this.track, {
      concurrency: this.slots?.total ?? concurrency,
      lockDuration: lockMs,
      stalledInterval: lockMs / 4,
      // A crash is not the job's fault. The quarantine gives up on a job that keeps killing its process.
      maxStalledCount: 1_000_000,
      runRetryDelay: 1_000,
      // These apply to jobs that another program added. Our own jobs carry these options.
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    });
    this.worker.on('error', (error) => {
      // All queues lose their server at the same moment, and that is logged separately.
      const level = isConnectionError(error) ? 'debug' : 'warn';
      log[level]({ event: 'queue_error', queue: definition.name, err: error }, 'The queue reported an error');
    });
    this.worker.on('lockRenewalFailed', (ids) => {
      for (const id of ids) this.running.get(id)?.cancellation.cancel('another worker has taken this job');
    });
  }

  private trackInSlot(slots: FairSlots) {
    return async (job: Job, token?: string): Promise<object | undefined> => {
      const owner = JobEnvelope.safeParse(job.data).data?.owner;
      if (!(await slots.take(owner, SLOT_TIMEOUT_MS, job.priority))) return this.refuse(job, token, { lifo: false });
      try {
        return await this.track(job, token);
      } finally {
        slots.release(owner);
      }
    };
  }

  private readonly track = async (job: Job, token?: string): Promise<object | undefined> => {
    if (this.pauses) return this.refuse(job, token);
    const id = String(job.id);
    const cancellation = new Cancellation();
    const running = { job, token, startedAt: databaseTime.now(), cancellation };
    this.running.set(id, running);
    try {
      return await this.jobWorker.process(job, token, cancellation);
    } finally {
      // A job that was taken over may have come back to this pool before its first run ended.
      if (this.running.get(id) === running) this.running.delete(id);
    }
  };

  /** A pool that is paused while it waits for a job still receives the next one. */
  private async refuse(job: Job, token: string | undefined, { lifo = true } = {}): Promise<never> {
    await giveBack(job, token, { lifo }).catch((err) =>
      this.jobWorker.log.warn(
        { event: 'job_not_given_back', queue: this.definition.name, err },
        'A job could not be given back and waits until its lock has run out',
      ),
    );
    throw new WaitingError();
  }

  get concurrency(): number {
    return this.slots?.concurrency ?? this.worker.concurrency;
  }

  set concurrency(concurrency: number) {
    if (this.slots) this.slots.concurrency = concurrency;
    this.worker.concurrency = this.slots?.total ?? concurrency;
  }

  get busy(): number {
    return this.running.size;
  }

  runningJobs(max: number): RunningJob[] {
    return [...this.running.values()].slice(0, max).map(toRunningJob);
  }

  /** A paused pool has ended its loop and starts another one when it is resumed, so it counts as running. */
  get isRunning(): boolean {
    return this.pauses > 0 || this.worker.isRunning();
  }

  get capacity(): number {
    return this.pauses ? this.busy : this.concurrency;
  }

  /** Running jobs continue. The pool takes jobs again when every caller of `pause` has called `resume`. */
  async pause(): Promise<void> {
    this.pauses += 1;
    if (this.pauses === 1) await this.worker.pause(true);
  }

  async resume(): Promise<void> {
    this.pauses -= 1;
    if (!this.pauses && !this.worker.closing) await this.worker.resume();
  }

  ready(): Promise<void> {
    return this.worker.waitUntilReady();
  }

  async drain(deadline: AbortSignal): Promise<void> {
    const closed = this.worker.close();
    if (await settledBefore(closed, deadline)) return;
    this.jobWorker.stopping = true;
    for (const { cancellation } of this.running.values()) cancellation.cancel('Millrace is stopping');
    if (await settledBefore(closed, AbortSignal.timeout(ABORT_GRACE_MS))) return;
    if (this.running.size) await this.giveBackWhatRuns();
  }

  /** An unreachable queue gets its jobs back by itself when their locks expire. */
  private async giveBackWhatRuns(): Promise<void> {
    const jobs = [...this.running.values()];
    const givenBack = Promise.allSettled(jobs.map(({ job, token }) => giveBack(job, token)));
    const inTime = await settledBefore(givenBack, AbortSignal.timeout(ABORT_GRACE_MS));
    const message = inTime ? 'Running jobs were given back' : 'Running jobs were left: the queue does not answer';
    this.jobWorker.log.warn(
      { event: 'running_jobs_given_back', queue: this.definition.name, jobs: jobs.length, inTime },
      message,
    );
  }
}

function settledBefore(work: Promise<unknown>, deadline: AbortSignal): Promise<boolean> {
  return orAborted(
    work.then(() => true),
    deadline,
    () => false,
  );
}

export interface RunningJob {
  jobId: string;
  subject: string;
  startedAt: string;
}

function toRunningJob({ job, startedAt }: { job: Job; startedAt: Date }): RunningJob {
  const jobId = String(job.id);
  const { subject = jobId } = JobEnvelope.safeParse(job.data).data ?? {};
  return { jobId: shortened(jobId), subject: shortened(subject), startedAt: startedAt.toISOString() };
}

const shortened = (text: string) => storableText(text.slice(0, MAX_NAME_LENGTH));
