import { DelayedError, type Job, UnrecoverableError, WaitingError } from 'bullmq';
import { Id } from '../database/columns.js';
import type { Database, Db } from '../database/database.js';
import type { Log } from '../log/log.js';
import { logContext } from '../log/log-context.js';
import { recordDeadLetter } from './dead-letters/record-dead-letter.js';
import { type JobDefinition, JobEnvelope } from './job-catalogue.js';
import type { JobHandler, JobRun } from './job-handler.js';
import { type JobOutcome, judge } from './job-outcome.js';
import type { Claim } from './job-rows.js';
import { GiveUp, LostClaim, RetryLater } from './outcomes.js';

/** A job whose worker dies this often is taken to be the cause. */
const MOST_CRASHES = 20;
const DATABASE_RETRY_MS = 2_000;

/** One run of one job, as the steps below see it. */
interface Run {
  job: Job;
  envelope: JobEnvelope;
  /** Undefined until checked. */
  data: object | undefined;
  claim: Claim | undefined;
  signal: AbortSignal;
}

/**
 * Runs the jobs of one queue. Each run: read and check the data, take the row, call the handler,
 * judge how it ended, record that in PostgreSQL, log one event, tell BullMQ.
 */
export class JobWorker {
  /** Set once Millrace stops: a run that is then aborted goes back to the queue. */
  stopping = false;

  constructor(
    private readonly definition: JobDefinition,
    private readonly handler: JobHandler<object>,
    private readonly platform: { database: Database; log: Log },
  ) {}

  /** BullMQ hands over the abort signal only to a processor that declares three parameters. */
  readonly process = async (job: Job, token: string | undefined, signal: AbortSignal | undefined): Promise<void> => {
    const run = this.open(job, signal ?? new AbortController().signal);
    const ids = { queue: this.definition.name, jobId: job.id, subject: run.envelope.subject };
    await logContext.run(ids, () => this.perform(run, token));
  };

  private async perform(run: Run, token: string | undefined): Promise<void> {
    const startedAt = Date.now();
    let outcome = await this.attempt(run);
    try {
      await this.record(run, outcome);
    } catch (error) {
      outcome = this.unrecorded(error);
    }
    this.logEvent(run, outcome, startedAt);
    await this.tell(run, outcome, token);
  }

  private open(job: Job, signal: AbortSignal): Run {
    const envelope = JobEnvelope.safeParse(job.data).data ?? { subject: String(job.id), data: job.data, failures: [] };
    return { job, envelope, data: undefined, claim: undefined, signal };
  }

  private async attempt(run: Run): Promise<JobOutcome> {
    try {
      if (this.definition.rows) {
        run.claim = await this.claim(run);
        if (!run.claim) return { kind: 'nothing-to-do' };
      }
      run.data = this.check(run);
      await this.handle(run, run.data);
      return { kind: 'done' };
    } catch (error) {
      const lastAttempt = run.job.attemptsMade + 1 >= (run.job.opts.attempts ?? 1);
      return judge(error, { lastAttempt, stopping: this.stopping && run.signal.aborted });
    }
  }

  private check({ job, envelope }: Run): object {
    if (job.stalledCounter >= MOST_CRASHES) {
      throw new GiveUp(`its worker died ${job.stalledCounter} times while running it`);
    }
    const parsed = this.definition.data.safeParse(envelope.data);
    if (parsed.success) return parsed.data;
    const mistakes = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'data'}: ${message}`);
    throw new GiveUp(`the job's data is not valid: ${mistakes.join('; ')}`);
  }

  private async claim({ envelope }: Run): Promise<Claim | undefined> {
    if (!Id.safeParse(envelope.subject).success) throw new GiveUp(`the job names no row: "${envelope.subject}"`);
    try {
      return await this.definition.rows?.claim(this.platform.database.db, envelope.subject);
    } catch (error) {
      throw new RetryLater(new Date(Date.now() + DATABASE_RETRY_MS), `the database did not answer: ${error}`);
    }
  }

  /** A handler that has nothing to write ends its row here. */
  private async handle(run: Run, data: object): Promise<void> {
    let committed = false;
    const jobRun: JobRun = {
      attempt: run.job.attemptsMade + 1,
      signal: run.signal,
      commit: async (effect) => {
        const result = await this.platform.database.transaction(async (db) => {
          await this.finish(db, run, 'done');
          return effect(db);
        });
        committed = true;
        return result;
      },
    };
    await this.handler.run(data, jobRun);
    if (!committed) await this.finish(this.platform.database.db, run, 'done');
  }

  private async finish(db: Db, { claim }: Run, state: 'done' | 'failed'): Promise<void> {
    if (claim) await this.definition.rows?.finish(db, claim, state);
  }

  /** The truth first: what BullMQ is told afterwards may be lost without harm. */
  private async record(run: Run, outcome: JobOutcome): Promise<void> {
    const { database } = this.platform;
    if (outcome.kind === 'later' && run.claim) {
      await this.definition.rows?.postpone(database.db, run.claim, outcome.until);
    }
    if (outcome.kind !== 'failed') return;
    run.envelope.failures.push({ at: new Date().toISOString(), reason: outcome.reason });
    if (!outcome.final) return run.job.updateData(run.envelope);
    await database.transaction((db) => this.recordFinalFailure(db, run, outcome.reason));
  }

  private async recordFinalFailure(db: Db, run: Run, reason: string): Promise<void> {
    const { envelope } = run;
    await this.finish(db, run, 'failed');
    if (run.data) await this.handler.failed?.(db, run.data, reason);
    await recordDeadLetter(db, {
      queue: this.definition.name,
      jobName: run.job.name,
      subject: envelope.subject,
      payload: envelope.data,
      history: envelope.failures as [(typeof envelope.failures)[0]],
    });
  }

  /** What could not be recorded is not over: it runs again, unless somebody else has taken it. */
  private unrecorded(error: unknown): JobOutcome {
    if (error instanceof LostClaim) return { kind: 'superseded' };
    const until = new Date(Date.now() + DATABASE_RETRY_MS);
    return { kind: 'later', until, reason: `its end could not be recorded: ${error}` };
  }

  private logEvent({ job }: Run, outcome: JobOutcome, startedAt: number): void {
    const { kind, ...details } = outcome;
    const { stack: _stack, ...shown } = { stack: undefined, ...details };
    const event = { job: job.name, attempt: job.attemptsMade + 1, outcome: kind, ...shown };
    const times = { ms: Date.now() - startedAt, ageMs: startedAt - job.timestamp };
    this.platform.log[kind === 'failed' ? 'warn' : 'info']({ ...event, ...times }, 'job run');
  }

  /** The one place where an end becomes BullMQ's. */
  private async tell({ job }: Run, outcome: JobOutcome, token: string | undefined): Promise<void> {
    switch (outcome.kind) {
      case 'later':
        await job.moveToDelayed(outcome.until.getTime(), token);
        throw new DelayedError();
      case 'given-back':
        await giveBack(job, token);
        throw new WaitingError();
      case 'failed': {
        const error = outcome.final ? new UnrecoverableError(outcome.reason) : new Error(outcome.reason);
        error.stack = outcome.stack;
        throw error;
      }
      default:
        return;
    }
  }
}

/** To the head of the queue: it has waited its time. */
export async function giveBack(job: Job, token: string | undefined): Promise<void> {
  await job.moveToWait(token);
  await job.changePriority({ priority: job.priority, lifo: true });
}
