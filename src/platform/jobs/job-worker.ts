import { Inject, Injectable } from '@nestjs/common';
import type { Span } from '@opentelemetry/api';
import { DelayedError, type Job, UnrecoverableError, WaitingError } from 'bullmq';
import { Id } from '../database/columns.js';
import { Database } from '../database/database.js';
import { LOG, type Log, logContext } from '../log/log.js';
import { isServerLost } from '../log/server-connection.js';
import { redactText } from '../redact.js';
import { databaseTime } from '../time/database-time.js';
import { markFailed, traced, traceFacts } from '../tracing/traced.js';
import { CANARY, CanaryListener } from './canary.js';
import { type JobDefinition, JobEnvelope } from './job-catalogue.js';
import type { JobHandler } from './job-handler.js';
import { type FailedJob, JobLedger } from './job-ledger.js';
import type { Claim } from './job-rows.js';
import { type KeptCounts, KeptJobs } from './kept-jobs.js';
import { errorMessage, GiveUp, type JobOutcome, judge, LostClaim } from './outcomes.js';
import { Quarantine } from './quarantine.js';
import type { RunNotes } from './run-notes.js';
import type { EndedRun } from './runs/ended-run.js';
import { RunRecords } from './runs/run-records.js';
import { storableText } from './storable.js';
import { type EndedWork, judgeWork, type WorkReport } from './work-result.js';

/** Delay before a job is tried again whose row could not be claimed or whose end could not be recorded. */
const ERROR_DELAY_MS = 2_000;

/** A signal costs more than the rest of an empty job, and most jobs never look at theirs. */
export class Cancellation {
  private reason: Error | undefined;
  private controller: AbortController | undefined;

  get isCancelled(): boolean {
    return this.reason !== undefined;
  }

  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.reason) this.controller.abort(this.reason);
    return this.controller.signal;
  }

  cancel(reason: string): void {
    this.reason ??= new Error(reason);
    this.controller?.abort(this.reason);
  }
}

interface Run extends FailedJob {
  cancellation: Cancellation;
  /** The effect is written, so the job counts as done whatever happens afterwards. */
  committed: boolean;
  report: WorkReport;
  notes: RunNotes;
}

interface Platform {
  database: Database;
  log: Log;
  records: RunRecords;
  canaries: CanaryListener;
  quarantine: Quarantine;
}

@Injectable()
export class JobWorkers {
  private readonly platform: Platform;

  constructor(
    database: Database,
    @Inject(LOG) log: Log,
    records: RunRecords,
    canaries: CanaryListener,
    quarantine: Quarantine,
  ) {
    this.platform = { database, log, records, canaries, quarantine };
  }

  create(definition: JobDefinition, handler: JobHandler<object>, kept: KeptCounts): JobWorker {
    return new JobWorker(definition, handler, this.platform, new KeptJobs(definition, kept));
  }
}

export class JobWorker {
  /** Set when Millrace stops. A run that is aborted from then on goes back to the queue. */
  stopping = false;
  readonly log: Log;
  private readonly ledger: JobLedger;

  constructor(
    readonly definition: JobDefinition,
    private readonly handler: JobHandler<object>,
    private readonly platform: Platform,
    private readonly kept: KeptJobs,
  ) {
    this.ledger = new JobLedger(definition, handler, platform);
    this.log = platform.log;
  }

  async process(job: Job, token: string | undefined, cancellation: Cancellation): Promise<object | undefined> {
    const queue = this.definition.name;
    if (job.name === CANARY) {
      await this.platform.canaries.returned(queue);
      return undefined;
    }
    const run = this.open(job, cancellation);
    const { subject, trace: cause } = run.envelope;
    // The subject of a job without rows may contain secrets, such as a URL with a token, so it is not traced.
    const row = this.definition.rows && { 'job.subject': subject };
    const attributes = { 'job.id': String(job.id), 'job.attempt': job.attemptsMade + 1, ...row };
    const step = { name: `job ${queue}`, kind: 'CONSUMER', attributes, cause } as const;
    const facts = { queue, jobId: job.id, subject };
    return logContext.run(facts, async () => {
      const ended = await traced(step, (span) => {
        Object.assign(facts, traceFacts(span));
        return this.perform(run, span);
      }).finally(() => run.notes.close());
      return this.reportToQueue(run, ended, token);
    });
  }

  private async perform(run: Run, span: Span): Promise<EndedRun> {
    const startedAt = databaseTime.now();
    const begunMs = performance.now();
    let outcome = await this.attempt(run);
    try {
      await this.record(run, outcome);
    } catch (error) {
      outcome =
        error instanceof LostClaim
          ? { kind: 'superseded' }
          : later(`its end could not be recorded: ${errorMessage(error)}`);
    }
    const ms = Math.round(performance.now() - begunMs);
    const times = { startedAt, ms, waitedMs: waitedMs(run.job, startedAt) };
    const { feature, name: jobName } = this.definition;
    const work = judgeWork({ feature, jobName, outcome, report: run.report, cause: run.claim?.cause });
    const ended = { ...this.identify(run), outcome, ...times, work };
    this.platform.records.add(ended);
    this.logEvent(run, outcome, { result: work.result, ms, ageMs: startedAt.getTime() - run.job.timestamp });
    span.setAttribute('job.outcome', outcome.kind);
    if (outcome.kind === 'failed') markFailed(span);
    return ended;
  }

  private open(job: Job, cancellation: Cancellation): Run {
    const envelope = JobEnvelope.safeParse(job.data).data ?? {
      subject: String(job.id),
      data: job.data,
      failures: [],
      deaths: 0,
    };
    const notes = this.kept.open(job);
    for (const { at, reason } of envelope.failures) notes.add(0, `An attempt failed at ${at}: ${reason}`);
    return { job, envelope, data: undefined, claim: undefined, cancellation, committed: false, report: {}, notes };
  }

  private identify({ job, envelope: { subject } }: Run) {
    return { queue: this.definition.name, jobId: String(job.id), subject, attempt: job.attemptsMade + 1 };
  }

  private async attempt(run: Run): Promise<JobOutcome> {
    try {
      if (this.definition.rows) {
        run.claim = await this.claim(run);
        if (!run.claim) return { kind: 'nothing-to-do' };
      }
      run.data = this.check(run.envelope);
      if (await this.mustRunApart(run)) return await this.handleApart(run, run.data);
      await this.handle(run, run.data);
      return { kind: 'done' };
    } catch (error) {
      if (run.committed) {
        this.log.error(
          { event: 'handler_failed_after_commit', err: error },
          'A handler failed after its effect was committed',
        );
        return { kind: 'done' };
      }
      if (error instanceof ClaimError) return later(`its row could not be claimed: ${error.message}`);
      return judge(error, {
        lastAttempt: isLastAttempt(run.job),
        aborted: run.cancellation.isCancelled,
        stopping: this.stopping,
      });
    }
  }

  private async claim({ envelope: { subject, run } }: Run): Promise<Claim | undefined> {
    if (run === undefined || !Id.safeParse(subject).success) throw new GiveUp(`the job names no row: "${subject}"`);
    try {
      return await this.ledger.claim({ id: subject, run });
    } catch (error) {
      throw new ClaimError(errorMessage(error));
    }
  }

  private async mustRunApart({ job, envelope }: Run): Promise<boolean> {
    try {
      return await this.platform.quarantine.mustRunApart({ queue: this.definition.name, job, envelope });
    } catch (error) {
      if (error instanceof GiveUp) throw error;
      throw new ClaimError(String(error));
    }
  }

  private async handleApart(run: Run, data: object): Promise<JobOutcome> {
    const { job, envelope } = run;
    const examined = { queue: this.definition.name, job, envelope };
    const ran = await this.platform.quarantine.runApart(examined, () => this.handle(run, data));
    // The pools of this process are paused, so another process takes the job, or this one when it resumes.
    return { kind: ran ? 'done' : 'given-back' };
  }

  private check(envelope: JobEnvelope): object {
    const parsed = this.definition.data.safeParse(envelope.data);
    if (parsed.success) return parsed.data;
    const mistakes = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'data'}: ${message}`);
    throw new GiveUp(`the job's data is not valid: ${mistakes.join('; ')}`);
  }

  private async handle(run: Run, data: object): Promise<void> {
    const once = async <T>(commit: () => Promise<T>): Promise<T> => {
      if (run.committed) throw new Error('a run commits once');
      const result = await commit();
      run.committed = true;
      return result;
    };
    await this.handler.run(data, {
      id: String(run.job.id),
      attempt: run.job.attemptsMade + 1,
      isLastAttempt: isLastAttempt(run.job),
      get signal() {
        return run.cancellation.signal;
      },
      read: run.claim?.read,
      report: (report) => {
        run.report = { ...run.report, ...report };
      },
      progress: (percent, line) => run.notes.add(percent, line),
      write: (effect) => this.ledger.write(run.claim, effect),
      commit: (effect) => once(() => this.ledger.commit(run.claim, effect)),
      writeTogether: (write) => this.ledger.writeTogether(run.claim, write),
      commitTogether: (write) => once(() => this.ledger.writeTogether(run.claim, write)),
    });
    if (run.claim && !run.committed) await this.ledger.end(run.claim);
  }

  /** PostgreSQL is written first, because the report to BullMQ may be lost without harm. */
  private async record(run: Run, outcome: JobOutcome): Promise<void> {
    if (outcome.kind === 'later' && run.claim) await this.ledger.postpone(run.claim, outcome.until);
    if (outcome.kind !== 'failed') return;
    run.envelope.failures.push({ at: databaseTime.now().toISOString(), reason: outcome.reason });
    if (outcome.final) await this.ledger.bury(run, outcome.reason);
    else await run.job.updateData(run.envelope);
  }

  private logEvent(
    { job }: Run,
    outcome: JobOutcome,
    facts: { result: string | null; ms: number; ageMs: number },
  ): void {
    const { stack: _stack, kind, ...details } = { stack: undefined, ...outcome };
    const isDelayed = outcome.kind === 'later' && outcome.isError === true;
    // Every job is delayed while a server is unreachable, and that is logged separately.
    const level = isDelayed && isServerLost() ? 'debug' : isDelayed || kind === 'failed' ? 'warn' : 'info';
    const fields = {
      event: 'job_run',
      job: job.name,
      attempt: job.attemptsMade + 1,
      outcome: kind,
      ...details,
      ...facts,
    };
    this.log[level](fields, 'job run');
  }

  /** Returns the result of a job that stays in its queue. */
  private async reportToQueue(run: Run, ended: EndedRun, token: string | undefined): Promise<object | undefined> {
    const { job, notes } = run;
    const { outcome, work } = ended;
    switch (outcome.kind) {
      case 'later':
        await this.tryToMove(job.moveToDelayed(outcome.until.getTime(), token));
        throw new DelayedError();
      case 'given-back':
        await this.tryToMove(giveBack(job, token));
        throw new WaitingError();
      case 'failed': {
        if (outcome.final) await this.kept.keep({ job, notes, ended });
        const error = outcome.final ? new UnrecoverableError(outcome.reason) : new Error(outcome.reason);
        error.stack = outcome.stack;
        throw error;
      }
      case 'done': {
        const result = await this.kept.keep({ job, notes, ended });
        if (result && work?.kind === 'failure') throw failedWork(work);
        return result;
      }
      default:
        return undefined;
    }
  }

  /** A job that BullMQ could not move comes back when its lock expires. */
  private async tryToMove(moving: Promise<unknown>): Promise<void> {
    try {
      await moving;
    } catch (error) {
      this.log.warn({ event: 'job_not_moved', err: error }, 'The end of a job could not be reported to the queue');
    }
  }
}

const isLastAttempt = ({ attemptsMade, opts }: Job) => attemptsMade + 1 >= (opts.attempts ?? 1);

/** Returns null for later starts, because the time at which they were due is not known. */
function waitedMs({ attemptsStarted, timestamp, opts }: Job, startedAt: Date): number | null {
  if (attemptsStarted > 1) return null;
  return Math.max(0, startedAt.getTime() - timestamp - (opts.delay ?? 0));
}

/** The run has done its part, but bull-board is to show the job among those that failed. */
function failedWork({ result, reason }: EndedWork): Error {
  const error = new UnrecoverableError(reason === undefined ? String(result) : redactText(storableText(reason)));
  delete error.stack;
  return error;
}

/** The row could not be claimed. This is not the job's fault and costs no attempt. */
class ClaimError extends Error {}

const later = (reason: string): JobOutcome => ({
  kind: 'later',
  until: new Date(databaseTime.nowMs() + ERROR_DELAY_MS),
  reason,
  isError: true,
});

/** The job has waited already, so by default it goes before jobs of equal priority. */
export async function giveBack(job: Job, token: string | undefined, { lifo = true } = {}): Promise<void> {
  await job.moveToWait(token);
  await job.changePriority({ priority: job.priority, lifo });
}
