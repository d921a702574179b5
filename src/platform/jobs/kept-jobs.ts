import type { Job } from 'bullmq';
import type { Config } from '../config.js';
import { redactValue } from '../redact.js';
import type { JobDefinition } from './job-catalogue.js';
import { RunNotes } from './run-notes.js';
import type { EndedRun } from './runs/ended-run.js';
import { storable } from './storable.js';

/** Keeping a job costs as much as running an empty one, so a process keeps a sample where more jobs end than this. */
const SAMPLED_FROM = { atOnce: 100, perSecond: 10 };

export type KeptCounts = Pick<Config, 'keepCompleted' | 'keepFailed'>;

interface EndedJob {
  job: Job;
  notes: RunNotes;
  ended: Pick<EndedRun, 'outcome' | 'work' | 'ms'>;
}

/** Chooses the jobs of a queue that stay in it when they have ended, for people to read in bull-board. */
export class KeptJobs {
  private readonly completed = new TokenBucket(SAMPLED_FROM);
  private readonly failed = new TokenBucket(SAMPLED_FROM);

  constructor(
    private readonly definition: JobDefinition,
    private readonly counts: KeptCounts,
  ) {}

  open(job: Job): RunNotes {
    return new RunNotes(job, () => this.counts.keepCompleted > 0 && this.canKeep(this.completed));
  }

  /** Returns the result of a job that stays. Call this when nothing can change how the job ended. */
  async keep({ job, notes, ended }: EndedJob): Promise<object | undefined> {
    const isFailed = ended.work?.kind === 'failure';
    const count = isFailed ? this.counts.keepFailed : this.counts.keepCompleted;
    const isKept = count > 0 && (notes.areShown || this.canKeep(isFailed ? this.failed : this.completed));
    if (!isKept) return undefined;
    const result = this.resultOf(ended);
    await notes.end(`Ended: ${JSON.stringify(result)}`, { isFailed });
    job.opts[isFailed ? 'removeOnFail' : 'removeOnComplete'] = { count };
    return result;
  }

  /** BullMQ ignores a new job whose id a kept one has. The ids of rows have a run number, so they are not used again. */
  private canKeep(bucket: TokenBucket): boolean {
    return this.definition.rows !== undefined && bucket.take(performance.now());
  }

  private resultOf({ outcome, work, ms }: EndedJob['ended']): object {
    const { result, target, details = {}, cause } = work ?? {};
    const shown = this.definition.feature?.shown?.(details) ?? details;
    const reason = 'reason' in outcome ? outcome.reason : work?.reason;
    const status = result ?? outcome.kind;
    return redactValue(storable({ status, ...shown, target, reason, cause: cause ?? undefined, ms })) as object;
  }
}

/** Limits a rate but lets some through at once. */
export class TokenBucket {
  private tokens: number;
  private filledMs = 0;

  constructor(private readonly limit: { atOnce: number; perSecond: number }) {
    this.tokens = limit.atOnce;
  }

  /** `nowMs` is of a clock that never goes back. */
  take(nowMs: number): boolean {
    const { atOnce, perSecond } = this.limit;
    this.tokens = Math.min(atOnce, this.tokens + ((nowMs - this.filledMs) / 1_000) * perSecond);
    this.filledMs = nowMs;
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }
}
